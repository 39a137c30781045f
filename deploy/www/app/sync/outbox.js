// Up: what waits in the outbox, in order. Every entry ends in one of three ways: saved, kept aside with a reason, or gone with its event.

import { answer } from "../store/database.js";
import { pending, put } from "../store/apply.js";
import { record } from "../store/merge.js";
import { texts } from "../text.js";
import { post, Refusal } from "./api.js";
import { clock, now } from "./clock.js";
import { sendChange } from "./change.js";

/** @typedef {import("../store/store.js").Store} Store */

const MOST = 500;
const BYTES = 900_000; // a request may have 1 MiB

/**
 * The next entries that may travel together: one, or several new events of one child.
 * @param {any[]} waiting
 */
function next(waiting) {
  const [first, ...rest] = waiting;
  if (!first || first.op !== "create" || first.solo) return first ? [first] : [];
  const batch = [first];
  let bytes = JSON.stringify(first.event).length;
  for (const entry of rest) {
    bytes += JSON.stringify(entry.event ?? "").length;
    const fits = entry.op === "create" && entry.child_id === first.child_id && !entry.solo;
    if (!fits || batch.length === MOST || bytes > BYTES) break;
    batch.push(entry);
  }
  return batch;
}

/**
 * The first of those that wait. Any number may be kept aside before them.
 * @param {(name: string) => IDBObjectStore} in_
 */
async function firstWaiting(in_) {
  for (let after = -Infinity; ; ) {
    const rows = await answer(in_("outbox").getAll(IDBKeyRange.lowerBound(after, true), MOST + 100));
    const waiting = rows.filter((entry) => !entry.aside);
    if (waiting.length || !rows.length) return waiting;
    after = rows.at(-1).seq;
  }
}

/** @param {Store} store @param {AbortSignal} [signal] @returns {Promise<boolean>} whether there was something */
export async function sendNext(store, signal) {
  const batch = await store.read(["outbox"], async (in_) => next(await firstWaiting(in_)));
  if (!batch.length) return false;
  // From now on they may have reached the server, whatever becomes of the answer.
  const marked = await store.writeUnseen(["outbox"], async (in_) => {
    const present = [];
    for (const { seq } of batch) {
      const entry = await answer(in_("outbox").get(seq));
      if (!entry || entry.aside) continue;
      present.push({ ...entry, tries: entry.tries + 1 });
      in_("outbox").put(present.at(-1));
    }
    return present;
  });
  if (!marked.length) return true;
  if (marked[0].op === "create") await sendEvents(store, marked, signal);
  else await sendChange(store, marked[0], signal);
  return true;
}

/** @param {Store} store @param {any[]} batch @param {AbortSignal} [signal] */
async function sendEvents(store, batch, signal) {
  const events = batch.map(({ type, event }) => ({ type, event }));
  try {
    const { body } = await post(`/children/${batch[0].child_id}/events`, { events }, { signal });
    await settle(store, batch, body.events);
  } catch (error) {
    if (!(error instanceof Refusal) || error.passes || error.status === 401) throw error;
    await refused(store, batch, error);
  }
}

/** @param {Store} store @param {any[]} batch @param {any[]} answered */
const settle = (store, batch, answered) =>
  store.write(["events", "outbox", "notices"], async (in_) => {
    const waiting = await pending(in_);
    let gone = 0;
    batch.forEach((entry, index) => {
      in_("outbox").delete(entry.seq);
      const later = (waiting.get(entry.id) ?? []).filter((one) => one.seq !== entry.seq);
      const event = answered[index]?.event;
      if (!event) {
        gone += 1;
        in_("events").delete(entry.id);
        for (const one of later) in_("outbox").delete(one.seq);
        return;
      }
      for (const one of later) in_("outbox").put({ ...one, base: event });
      put(in_, entry.type, event, entry.family_id, later);
    });
    if (gone) in_("notices").add({ kind: "gone", text: texts.gone(gone) });
  });

/** @param {Store} store @param {any[]} batch @param {Refusal} refusal */
async function refused(store, batch, refusal) {
  if (refusal.status === 404) return childGone(store, batch[0]);
  /** @type {Map<number, import("./api.js").Detail[]>} */
  const reasons = new Map();
  for (const detail of refusal.details) {
    const [, index, field] = /^events\[(\d+)\](?:\.event)?\.?(.*)$/.exec(detail.field) ?? [];
    if (index !== undefined) reasons.set(Number(index), [...reasons.get(Number(index)) ?? [], { ...detail, field }]);
  }
  const inWords = (/** @type {import("./api.js").Detail[]} */ details) => details.map((one) => texts.reason(one, refusal.code)).join(" ");
  if (!reasons.size && batch.length > 1 && refusal.status !== 403) {
    return mark(store, batch, (entry) => ({ ...entry, tries: 0, solo: true })); // one by one it will show which it is
  }
  if (batch.length === 1 && refusal.status === 410) return settle(store, batch, []);
  await mark(store, batch, (entry, index) => {
    const details = reasons.get(index) ?? (reasons.size ? undefined : refusal.details);
    if (!details) return { ...entry, tries: 0 };
    return inTime(entry, details) ?? { ...entry, tries: 0, aside: inWords(details) || texts.refusal(refusal) };
  });
}

const TIMES = ["started_at", "ended_at", "occurred_at"];

/**
 * An event that was logged by a clock that ran ahead: once the server's time is known, it is put right and sent again.
 * A server from before reasons names the time alone.
 * @param {any} entry
 * @param {import("./api.js").Detail[]} details
 */
function inTime(entry, details) {
  const shift = clock.offset() - (entry.offset ?? 0);
  const isAhead = details.some(({ field, reason }) => reason ? reason === "in_future" : Date.parse(entry.event[field]) > now());
  if (!isAhead || shift > -60_000) return null;
  const event = { ...entry.event };
  for (const field of TIMES) {
    if (event[field]) event[field] = new Date(Date.parse(event[field]) + shift).toISOString();
  }
  return { ...entry, event, tries: 0, offset: clock.offset(), isShifted: true };
}

/** @param {Store} store @param {any[]} batch @param {(entry: any, index: number) => any} change */
const mark = (store, batch, change) =>
  store.write(["outbox", "events", "notices"], async (in_) => {
    let shifted = false;
    for (const [index, entry] of batch.entries()) {
      const { isShifted, ...next } = change(entry, index);
      in_("outbox").put(next);
      if (!isShifted) continue;
      shifted = true;
      const kept = await answer(in_("events").get(entry.id));
      if (kept) in_("events").put(record(kept.type, { ...kept.event, ...next.event }, kept.family_id));
    }
    if (shifted) in_("notices").add({ kind: "clock", text: texts.clockCorrected });
  });

/** @param {Store} store @param {any} entry */
export const childGone = (store, entry) =>
  store.write(["children", "events", "outbox", "notices"], async (in_) => {
    const child = await answer(in_("children").get(entry.child_id));
    let count = 0;
    for (const one of await answer(in_("outbox").getAll())) {
      if (one.child_id !== entry.child_id) continue;
      count += 1;
      in_("outbox").delete(one.seq);
      in_("events").delete(one.id);
    }
    in_("notices").add({ kind: "gone", text: texts.childGone(child?.name, count) });
  });

