// The sheet that logs: what it was is offered as it was the last time, so that mostly one more tap is enough.

import { html, useState } from "../vendor/preact.js";
import { belongs, isOpen, kinds } from "../store/kinds.js";
import { logFor, remove } from "../store/log.js";
import { explainStorage, kindName, summary } from "../parts/text.js";
import { useStore, useWork } from "../parts/hooks.js";
import { toast } from "../parts/toast.js";
import { Button, Problem, Sheet } from "../parts/ui.js";
import { Fields } from "./forms/fields.js";
import { offer, verb } from "./forms/offer.js";
import { missing } from "../parts/missing.js";
import { inOrder, Lasting, momentOf, range, When } from "./forms/times.js";

/**
 * The fields that are to be kept: those of another type of feed are not.
 * @param {string} type
 * @param {any} value
 */
const kept = (type, value) =>
  Object.fromEntries(
    Object.entries(value)
      .filter(([field, one]) => belongs(type, field, value.type) && one != null && one !== "")
      .map(([field, one]) => [field, typeof one === "string" ? one.trim() : one]),
  );

const opens = { sleep: "Still asleep", pumping: "Start the clock", activity: "Start the clock" };
const minutes = /** @type {Record<string, number[]>} */ ({ feeding: [5, 10, 15, 20, 30], sleep: [15, 30, 45, 60, 120], pumping: [10, 15, 20, 30], activity: [5, 10, 15, 30, 60] });

/** Of these each child has its own. */
const oneByOne = new Set(["measurement", "temperature"]);
const DAY = 86_400_000;

/**
 * The children who were born with one, itself among them.
 * @param {import("../store/types").StoredFamily} family @param {import("../store/types").StoredChild} child
 */
const bornWith = ({ children }, child) =>
  children.filter((one) => Math.abs(Date.parse(one.date_of_birth) - Date.parse(child.date_of_birth)) <= DAY);

/** @param {string[]} names */
const listed = (names) => `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

/**
 * What nobody timed is over all the same: without an end it would be under way.
 * @param {string} type @param {any} event @param {boolean} goesOn
 */
const withEnd = (type, event, goesOn) =>
  !goesOn && type !== "feeding" && isOpen(type, event) ? { ...event, ended_at: event.started_at } : event;

/**
 * The first of the children who is asleep.
 * @param {import("../store/store.js").Store} store @param {import("../store/types").StoredChild[]} children
 */
async function whoSleeps(store, children) {
  const open = await Promise.all(children.map(({ id }) => store.latest(id, [], [], 0)));
  return children.find((_, place) => open[place].open.some((one) => one.type === "sleep")) ?? null;
}

/** @param {{type: string, of?: string, child: import("../store/types").StoredChild, last: any, isTwin: boolean, onClose: () => void}} props */
export function LogSheet({ type, of, child, last, isTwin, onClose }) {
  const store = useStore();
  const [value, setValue] = useState(() => offer(type, last, of));
  const [when, setWhen] = useState(/** @type {any} */ ({ ago: 0 }));
  const lasts = Boolean(kinds[type].end) && !(type === "feeding" && value.type !== "breast");
  const [lasting, setLasting] = useState(/** @type {any} */ ({ minutes: type === "pumping" ? null : 0 }));
  const [isBusy, problem, run] = useWork((error) => (typeof error === "string" ? error : explainStorage(error)));
  const set = (/** @type {any} */ patch) => setValue({ ...value, ...patch });
  const goesOn = lasts && lasting.minutes === 0;
  const together = bornWith(store.family, child);
  const save = (/** @type {import("../store/types").StoredChild[]} */ children) =>
    run(async () => {
      const asleep = type === "sleep" && goesOn ? await whoSleeps(store, children) : null;
      const times = lasts ? range(when, lasting) : { [kinds[type].time]: new Date(momentOf(when)).toISOString() };
      const fields = inOrder({ ...kept(type, isClocked ? { ...value, amount_ml: null } : value), ...times });
      const gap = asleep ? `${asleep.name} is asleep already. End that sleep first, or say how long this one was.` : missing(type, fields);
      if (gap) throw gap;
      const entries = await logFor(store, children, type, withEnd(type, fields, goesOn));
      onClose();
      const whose = children.length > 1 ? ` for ${listed(children.map(({ name }) => name))}` : isTwin ? ` for ${child.name}` : "";
      toast(`${summary(type, entries[0].event)}${whose} ${goesOn ? "started" : "logged"}`, () => Promise.all(entries.map((entry) => remove(store, entry))));
    });
  const isClocked = goesOn && type === "pumping"; // how much it was is asked when it stops
  return html`
    <${Sheet} title=${isTwin ? `${kindName(type)} for ${child.name}` : kindName(type)} onClose=${onClose}>
      <${Fields} type=${type} value=${value} set=${set} isClocked=${isClocked} lastSide=${last.breast?.event.last_side ?? last.breast?.event.side} />
      <${When} label=${lasts ? "Started" : "When"} value=${when} onChange=${setWhen} />
      ${lasts &&
      html`<${Lasting} label="How long" open=${opens[/** @type {"sleep"} */ (type)] ?? "Still going"} unsaid=${type === "pumping" || type === "activity"} minutes=${minutes[type]} value=${lasting} onChange=${setLasting} />`}
      <${Problem} text=${problem} />
      <div class="actions stay">
        <${Button} kind="primary" busy=${isBusy} onClick=${() => save([child])}>${verb(type, value, goesOn)}${isTwin ? ` for ${child.name}` : ""}<//>
        ${together.length > 1 && !oneByOne.has(type) &&
        html`<${Button} busy=${isBusy} onClick=${() => save(together)}>The same for ${listed(together.map(({ name }) => name))}<//>`}
      </div>
    <//>
  `;
}
