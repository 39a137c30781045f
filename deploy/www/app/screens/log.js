// The sheet that logs: what it was is offered as it was the last time, so that mostly one more tap is enough.

import { html, useState } from "../vendor/preact.js";
import { belongs, isOpen, kinds } from "../store/kinds.js";
import { log, remove } from "../store/log.js";
import { explainStorage, kindName, say, summary } from "../parts/text.js";
import { now } from "../store/clock.js";
import { amount, toInput } from "../parts/format.js";
import { useStore, useWork } from "../parts/hooks.js";
import { toast } from "../parts/toast.js";
import { Button, Problem, Sheet } from "../parts/ui.js";
import { Fields } from "./forms/fields.js";
import { missing } from "../parts/missing.js";
import { inOrder, Lasting, momentOf, range, When } from "./forms/times.js";

const other = { left: "right", right: "left", both: "both" };

/**
 * What is likely, from the last of its kind.
 * @param {string} type
 * @param {any} last
 * @param {string} [of] type of feed that was asked for
 */
function offer(type, last, of) {
  const hour = Number(toInput(now()).slice(11, 13));
  switch (type) {
    case "feeding": {
      const kind = of ?? last.feeding?.event.type ?? "bottle";
      return { type: kind, side: other[/** @type {"left"} */ (last.breast?.event.last_side ?? last.breast?.event.side)] ?? "left", amount_ml: last.bottle?.event.amount_ml ?? 120, content: last.bottle?.event.content ?? "formula" };
    }
    case "diaper": return { type: "wet" };
    case "sleep": return { type: hour >= 19 || hour < 6 ? "night" : "nap" };
    case "pumping": return { side: last.pumping?.event.side ?? "both", amount_ml: last.pumped?.event.amount_ml ?? 100 };
    case "medication": return { name: last.medication?.event.name, dose: last.medication?.event.dose };
    case "discard": return { amount_ml: last.discard?.event.amount_ml ?? 60 };
    case "temperature": return { site: last.temperature?.event.site };
    default: return {};
  }
}

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

/** @param {string | undefined} name what a person typed, for a button */
const short = (name = "") => (name.length > 24 ? `${name.slice(0, 23).trim()}…` : name.trim());

/** @param {string} type @param {any} value @param {boolean} goesOn */
function verb(type, value, goesOn) {
  if (type === "feeding" && value.type === "breast") return `${goesOn ? "Start" : "Log"} ${say(value.side).toLowerCase()}`;
  if (type === "feeding" && value.type === "bottle") return value.amount_ml ? `Log ${amount(value.amount_ml)}` : "Log bottle";
  if (type === "feeding") return "Log solids";
  if (type === "diaper") return `Log ${say(value.type).toLowerCase()} diaper`;
  if (type === "sleep") return `${goesOn ? "Start" : "Log"} ${value.type === "night" ? "night sleep" : "nap"}`;
  if (type === "activity") return `${goesOn ? "Start" : "Log"} ${short(value.name) || "activity"}`;
  if (type === "medication") return `Log ${short(value.name) || "medicine"}`;
  if (type === "pumping") return goesOn ? "Start pumping" : value.amount_ml ? `Log ${amount(value.amount_ml)}` : "Log pumping";
  if (type === "discard") return value.amount_ml ? `Log ${amount(value.amount_ml)}` : "Log it";
  return `Log ${kindName(type).toLowerCase()}`;
}

/**
 * What nobody timed is over all the same: without an end it would be under way.
 * @param {string} type @param {any} event @param {boolean} goesOn
 */
const withEnd = (type, event, goesOn) =>
  !goesOn && type !== "feeding" && isOpen(type, event) ? { ...event, ended_at: event.started_at } : event;

/** @param {{type: string, of?: string, child: import("../store/types").StoredChild, last: any, open: import("../store/types").Kept[], isTwin: boolean, onClose: () => void}} props */
export function LogSheet({ type, of, child, last, open, isTwin, onClose }) {
  const store = useStore();
  const [value, setValue] = useState(() => offer(type, last, of));
  const [when, setWhen] = useState(/** @type {any} */ ({ ago: 0 }));
  const lasts = Boolean(kinds[type].end) && !(type === "feeding" && value.type !== "breast");
  const [lasting, setLasting] = useState(/** @type {any} */ ({ minutes: type === "pumping" ? null : 0 }));
  const [isBusy, problem, run] = useWork((error) => (typeof error === "string" ? error : explainStorage(error)));
  const set = (/** @type {any} */ patch) => setValue({ ...value, ...patch });
  const goesOn = lasts && lasting.minutes === 0;
  const save = () =>
    run(async () => {
      const isAsleep = type === "sleep" && goesOn && open.some((one) => one.type === "sleep");
      const times = lasts ? range(when, lasting) : { [kinds[type].time]: new Date(momentOf(when)).toISOString() };
      const fields = inOrder({ ...kept(type, isClocked ? { ...value, amount_ml: null } : value), ...times });
      const gap = isAsleep ? `${child.name} is asleep already. End that sleep first, or say how long this one was.` : missing(type, fields);
      if (gap) throw gap;
      const entry = await log(store, child, type, withEnd(type, fields, goesOn));
      onClose();
      toast(`${summary(type, entry.event)}${isTwin ? ` for ${child.name}` : ""} ${goesOn ? "started" : "logged"}`, () => remove(store, entry));
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
        <${Button} kind="primary" busy=${isBusy} onClick=${save}>${verb(type, value, goesOn)}${isTwin ? ` for ${child.name}` : ""}<//>
      </div>
    <//>
  `;
}
