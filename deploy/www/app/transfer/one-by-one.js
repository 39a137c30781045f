// Changes and deletions: one request each, within the limit of requests, until all are done, somebody stops it, or it
// can't go on. None is made of what has changed since it was looked at.

import { backoff, pause } from "../store/pause.js";
import { afterError } from "./upload.js";

/** @typedef {import("./prepare.js").Prepared} Prepared */
/**
 * `done` were carried out; `gone` are not there any more; `changed` were changed by somebody meanwhile; `refused` the
 * server says no to, with its reasons; `left` were not sent.
 * @typedef {{done: number, gone: number, changed: any[], refused: {one: any, reason: string}[], left: number,
 *   stopped: string | null}} Outcome
 */

/** At most 75 requests a minute of the 100: the app has other things to ask. The first few needn't wait. */
const PACE = 800;
const AT_ONCE = 25;

/**
 * @template T
 * @param {T[]} all
 * @param {{send: (one: T, signal: AbortSignal) => Promise<void>, signal: AbortSignal,
 *   progress?: (done: number, note: string | null) => void, pace?: number, wait?: typeof pause}} how
 * @returns {Promise<Outcome>}
 */
export async function oneByOne(all, { send, signal, progress = () => {}, pace = PACE, wait = pause }) {
  /** @type {Outcome} */
  const outcome = { done: 0, gone: 0, changed: [], refused: [], left: 0, stopped: null };
  const over = () => outcome.done + outcome.gone + outcome.changed.length + outcome.refused.length;
  let failures = 0;
  progress(0, null);
  while (over() < all.length && !signal.aborted && !outcome.stopped) {
    const one = all[over()];
    const began = Date.now();
    try {
      await send(one, signal);
      outcome.done += 1;
    } catch (error) {
      if (signal.aborted) break;
      const { status } = /** @type {any} */ (error);
      if (status === 404 || status === 410) outcome.gone += 1;
      else if (status === 412) outcome.changed.push(one);
      else {
        const next = afterError(/** @type {any} */ (error), [/** @type {any} */ (one)]);
        if (next.refused?.length) outcome.refused.push({ one, reason: next.refused[0].reason });
        else if (next.stop) outcome.stopped = next.stop;
        else {
          failures += 1;
          progress(over(), next.note ?? null);
          await wait(next.after ?? backoff(failures), signal, next.wakers);
        }
        if (!next.refused?.length) continue;
      }
    }
    failures = 0;
    progress(over(), null);
    if (over() > AT_ONCE && over() < all.length) await wait(Math.max(0, pace - (Date.now() - began)), signal);
  }
  outcome.left = all.length - over();
  return outcome;
}
