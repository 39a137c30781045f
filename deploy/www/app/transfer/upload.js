// Sends what was prepared: batches, one after the other, within the limit of requests, until all are there, somebody
// stops it, or it can't go on.

import { reasonText, refusalText } from "../parts/problems.js";
import { language } from "../store/language.js";
import { backoff, pause } from "../store/pause.js";
import { say } from "../words.js";

/** @typedef {import("./prepare.js").Prepared} Prepared */
/** @typedef {{one: Prepared, reason: string}} Refused */
/**
 * Sends events of one child as `POST /children/:id/events`. Its error has a `status`, and what the API's errors have;
 * without one there was no answer.
 * @typedef {(child: string, events: {type: string, event: any}[], signal: AbortSignal) => Promise<Pick<import("../types/api").EventBatchAnswer, "events">>
 * } Send
 */
/**
 * `added` were taken or were there before; `deleted` had been deleted here; `refused` go back with the server's
 * reasons; `left` were not sent.
 * @typedef {{added: number, deleted: number, refused: Refused[], left: number, stopped: string | null}} Outcome
 */

export const BATCH = 500;
const BYTES = 900 * 1024;
/** At most 60 requests a minute, after the first few: the limit is 100, and the app has other things to ask. */
const PACE = 1000;
const AT_ONCE = 25;

/** @param {Prepared[]} events @returns {Prepared[][]} */
export function batchesOf(events) {
  /** @type {Prepared[][]} */
  const batches = [];
  /** @type {Map<string, {batch: Prepared[], bytes: number}>} */
  const open = new Map();
  for (const one of events) {
    const size = new TextEncoder().encode(JSON.stringify(wire(one))).length + 1;
    let at = open.get(one.child);
    if (!at || at.batch.length === BATCH || at.bytes + size > BYTES) {
      at = { batch: [], bytes: 0 };
      open.set(one.child, at);
      batches.push(at.batch);
    }
    at.batch.push(one);
    at.bytes += size;
  }
  return batches;
}

/** @param {Prepared} one */
const wire = ({ kind, id, event }) => ({ type: kind, event: { id, ...event } });

/**
 * Nothing ends it but a person, the last row, or a server that says no: without a network, a server or a request left
 * in this minute it waits, and goes on by itself.
 * @param {Prepared[]} events
 * @param {{send: Send, signal: AbortSignal, progress?: (done: number, note: string | null) => void, pace?: number,
 *   taken?: (batch: Prepared[], answered: import("../types/api").EventBatchAnswer["events"]) => Promise<void>, wait?: typeof pause}} how `taken` keeps what came of it
 * @returns {Promise<Outcome>}
 */
export async function upload(events, { send, signal, progress = () => {}, pace = PACE, taken = async () => {}, wait = pause }) {
  /** @type {Outcome} */
  const outcome = { added: 0, deleted: 0, refused: [], left: 0, stopped: null };
  const queue = batchesOf(events);
  let failures = 0;
  let answered = 0;
  /** Single events refused without a name since the last that was taken: some in a row mean that no more are taken. */
  let unnamed = 0;
  const done = () => outcome.added + outcome.deleted + outcome.refused.length;
  progress(0, null);
  while (queue.length && !signal.aborted) {
    const batch = queue[0];
    const began = Date.now();
    try {
      const answer = await send(batch[0].child, batch.map(wire), signal);
      const deleted = (answer.events ?? []).filter(({ event }) => event === null).length;
      outcome.deleted += deleted;
      outcome.added += batch.length - deleted;
      await taken(batch, answer.events ?? []);
      queue.shift();
      failures = unnamed = 0;
      progress(done(), null);
      answered += 1;
      if (queue.length && answered > AT_ONCE) await wait(Math.max(0, pace - (Date.now() - began)), signal);
    } catch (error) {
      if (signal.aborted) break;
      const next = afterError(/** @type {any} */ (error), batch);
      if (next.stop) {
        outcome.stopped = next.stop;
        break;
      }
      if (next.refused) {
        outcome.refused.push(...next.refused);
        queue.splice(0, 1, ...next.rest.length ? [next.rest] : [], ...next.others ? [next.others] : []);
        unnamed = next.isUnnamed ? unnamed + next.refused.length : 0;
        if (unnamed === 3) {
          queue.unshift(outcome.refused.splice(-unnamed).map(({ one }) => one));
          outcome.stopped = sentence(next.refused[0].reason);
          break;
        }
        progress(done(), null);
        await wait(pace, signal);
        continue;
      }
      failures += 1;
      progress(done(), next.note ?? null);
      await wait(next.after ?? backoff(failures), signal, next.wakers);
    }
  }
  outcome.left = queue.reduce((sum, batch) => sum + batch.length, 0);
  return outcome;
}

/** @param {string} text */
const sentence = (text) => (text.endsWith(".") ? text : `${text}.`);

/**
 * The server's words are English; for others it is said by code and reason.
 * @param {any} error
 */
const whyNot = (error) => (language() === "en" ? error.message : refusalText(error));

/** @param {any} error @param {import("../parts/problems.js").Detail} detail @param {string | undefined} field */
function whyNotOf(error, { message, reason }, field) {
  if (language() === "en") return field ? `${field} ${message}` : message;
  return field ? reasonText({ field, message, reason }, error.code) : refusalText(error);
}

/**
 * What to do after an error: stop, wait and send the same again, or send the rest without what the server refuses.
 * @param {{status?: number, message?: string, retryAfter?: number, details?: import("../parts/problems.js").Detail[]}} error
 * @param {Prepared[]} batch
 * @returns {{stop?: string, after?: number, note?: string, refused?: Refused[], rest: Prepared[], others?: Prepared[],
 *   isUnnamed?: boolean, wakers?: [EventTarget, string][]}}
 */
export function afterError(error, batch) {
  const { status } = error;
  const details = error.details ?? [];
  if (status === undefined) return { note: say("import.no_connection"), rest: [], wakers: [[globalThis, "online"]] };
  const after = error.retryAfter ? error.retryAfter * 1000 : undefined;
  if (status === 429) return { after: after ?? 5000, note: say("import.limit"), rest: [] };
  if (status >= 500) return { after, note: say("import.server_busy"), rest: [] };
  if (status === 401) {
    return { stop: say("import.signed_out"), rest: [] };
  }
  if (status === 403) return { stop: error.message ? sentence(whyNot(error)) : say("import.may_not_add"), rest: [] };
  if (status === 404) return { stop: say("import.child_gone"), rest: [] };
  /** @type {Map<number, string>} */
  const named = new Map();
  for (const detail of details) {
    const found = /^events\[(\d+)\](?:\.event)?(?:\.(\w+))?/.exec(detail.field);
    const place = found ? Number(found[1]) : -1;
    if (found && batch[place] && !named.has(place)) named.set(place, whyNotOf(error, detail, found[2]));
  }
  if (named.size) {
    return {
      refused: [...named].map(([place, reason]) => ({ one: batch[place], reason })),
      rest: batch.filter((_, place) => !named.has(place)),
    };
  }
  // What doesn't say what it is about is looked for by halves.
  const isUnnamed = status === 409;
  if (batch.length === 1) {
    return { refused: [{ one: batch[0], reason: error.message ? whyNot(error) : say("import_problem.refused") }], rest: [], isUnnamed };
  }
  const half = Math.ceil(batch.length / 2);
  return { refused: [], rest: batch.slice(0, half), others: batch.slice(half), isUnnamed };
}
