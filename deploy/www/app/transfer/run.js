// The import that is under way: one at a time, and it goes on while other screens are looked at.

import { post } from "../sync/api.js";
import { useEffect, useState } from "../vendor/preact.js";
import { upload } from "./upload.js";

/** @typedef {import("./recognise.js").Source} Source */
/** @typedef {{done: number, total: number, note: string | null}} Progress */

const bell = new EventTarget();
/** @type {{progress: Progress | null, outcome: any, sources: Source[]}} */
let state = { progress: null, outcome: null, sources: [] };
let control = new AbortController();

/** @param {Partial<typeof state>} changes */
function change(changes) {
  state = { ...state, ...changes };
  bell.dispatchEvent(new Event("change"));
}

/** What closing the page would cut off is asked about by the browser. */
const stay = (/** @type {Event} */ event) => event.preventDefault();

/** @param {{events: any[], problems: any[]}} prepared @param {Source[]} sources */
export async function start({ events, problems }, sources) {
  control = new AbortController();
  change({ progress: { done: 0, total: events.length, note: null }, outcome: null, sources });
  addEventListener("beforeunload", stay);
  const sent = await upload(events, {
    signal: control.signal,
    send: async (to, some, signal) => (await post(`/children/${to}/events`, { events: some }, { signal, seconds: 60 })).body,
    progress: (done, note) => change({ progress: { done, total: events.length, note } }),
  });
  removeEventListener("beforeunload", stay);
  const refused = sent.refused.map(({ one: { file, line, cells }, reason }) => ({ file, line, cells, reason }));
  change({ progress: null, outcome: { ...sent, problems: [...problems, ...refused] } });
}

export const stop = () => control.abort();
export const forget = () => change({ outcome: null, sources: [] });

export function useRun() {
  const [shown, show] = useState(state);
  useEffect(() => {
    const changed = () => show(state);
    changed();
    bell.addEventListener("change", changed);
    return () => bell.removeEventListener("change", changed);
  }, []);
  return shown;
}
