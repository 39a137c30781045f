// The import, or the undoing of one, that is under way: one at a time, and it goes on while other screens are looked at.

import { useEffect, useState } from "../vendor/preact.js";

/** @typedef {import("./recognise.js").Source} Source */
/** @typedef {{title: string, done: number, total: number, note: string | null}} Progress */

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

/**
 * @param {string} title @param {number} total @param {Source[]} sources
 * @param {(signal: AbortSignal, progress: (done: number, note: string | null) => void) => Promise<any>} work
 */
export async function run(title, total, sources, work) {
  control = new AbortController();
  const progress = (/** @type {number} */ done, /** @type {string | null} */ note) =>
    change({ progress: { title, done, total, note } });
  change({ progress: { title, done: 0, total, note: null }, outcome: null, sources });
  addEventListener("beforeunload", stay);
  try {
    change({ outcome: await work(control.signal, progress) });
  } finally {
    removeEventListener("beforeunload", stay);
    change({ progress: null });
  }
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
