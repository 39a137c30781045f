// Up: what waits in the outbox, in order, and then a person's reminders, which may be about it. Every entry ends saved, rejected with a reason, gone with its event, or, where its child or family
// is gone, in a notice.

import { answer } from "../store/database.js";
import { put, waitingFor } from "../store/apply.js";
import { putAside } from "../store/deleted.js";
import { merge, record } from "../store/merge.js";
import { nextUnsent } from "../store/reminders.js";
import { takeUnsentOfChild } from "../store/unsent.js";
import { texts } from "../parts/text.js";
import { post, Refusal } from "./api.js";
import { clock, now } from "../store/clock.js";
import { sendChange } from "./change.js";
import { sendReminder } from "./reminders.js";

/** @typedef {import("../store/store.js").Store} Store */
/** @typedef {import("../store/types").Entry} Entry */
/** @typedef {import("../store/types").Creation} Creation */
/** @typedef {import("../parts/problems.js").Detail} Detail */

const MOST = 500;
const BYTES = 900_000; // a request may have 1 MiB

/**
 * A plan is no event: it has a request of its own.
 * @param {Creation} entry
 */
const isAlone = ({ solo, type }) => solo === true || type === "plan";

/**
 * The next entries that can be sent in one request: one, or several new events of one child.
 * @param {Entry[]} waiting
 */
export function next(waiting) {
  const [first, ...rest] = waiting;
  if (!first || first.op !== "create" || isAlone(first)) return first ? [first] : [];
  /** @type {Entry[]} */
  const batch = [first];
  let bytes = JSON.stringify(first.event).length;
  for (const entry of rest) {
    if (entry.op !== "create" || isAlone(entry) || entry.child_id !== first.child_id) break;
    bytes += JSON.stringify(entry.event).length;
    if (batch.length === MOST || bytes > BYTES) break;
    batch.push(entry);
  }
  return batch;
}

/**
 * The first of those that wait. Any number may be rejected before them.
 * @param {import("../store/database.js").Tables} table @returns {Promise<Entry[]>}
 */
export async function firstWaiting(table) {
  for (let after = -Infinity; ; ) {
    /** @type {Entry[]} */
    const rows = await answer(table("outbox").getAll(IDBKeyRange.lowerBound(after, true), MOST + 100));
    const waiting = rows.filter((entry) => !entry.rejected);
    if (waiting.length || !rows.length) return waiting;
    after = rows[rows.length - 1].seq;
  }
}

/** @param {Store} store @param {AbortSignal} [signal] @returns {Promise<boolean>} whether there was something */
export async function sendNext(store, signal) {
  const [batch, reminder] = await store.read(["outbox", "meta", "events"], async (table) => {
    const first = next(await firstWaiting(table));
    return /** @type {const} */ ([first, first.length ? null : await nextUnsent(table)]);
  });
  if (reminder) await sendReminder(store, ...reminder, signal);
  if (!batch.length) return reminder !== null;
  // From now on they may have reached the server, whatever becomes of the answer.
  const marked = await store.writeUnseen(["outbox"], async (table) => {
    /** @type {Entry[]} */
    const present = [];
    for (const { seq } of batch) {
      const entry = await answer(table("outbox").get(seq));
      if (!entry || entry.rejected) continue;
      const tried = { ...entry, tries: entry.tries + 1 };
      present.push(tried);
      table("outbox").put(tried);
    }
    return present;
  });
  if (!marked.length) return true;
  const [first] = marked;
  if (first.op === "create") await sendEvents(store, /** @type {Creation[]} */ (marked), signal);
  else await sendChange(store, first, signal);
  return true;
}

/** @param {Store} store @param {Creation[]} batch @param {AbortSignal} [signal] */
async function sendEvents(store, batch, signal) {
  try {
    await settle(store, batch, await make(batch, signal));
  } catch (error) {
    if (!(error instanceof Refusal) || error.passes || error.status === 401) throw error;
    await refused(store, batch, error);
  }
}

/**
 * What the server made of them, in their order.
 * @param {Creation[]} batch @param {AbortSignal} [signal] @returns {Promise<{event: any}[]>}
 */
async function make(batch, signal) {
  const [{ type, event, child_id }] = batch;
  if (type === "plan") return [{ event: (await post(`/children/${child_id}/plans`, event, { signal })).body.plan }];
  const events = batch.map(({ type, event }) => ({ type, event }));
  return (await post(`/children/${child_id}/events`, { events }, { signal })).body.events;
}

/** @param {Store} store @param {Creation[]} batch @param {{event: any}[]} answered */
const settle = (store, batch, answered) =>
  store.write(["events", "outbox", "notices", "deleted"], async (table) => {
    let gone = 0;
    /** @type {Promise<void>[]} */
    const aside = [];
    const waiting = await Promise.all(batch.map(({ family_id, id }) => waitingFor(table, family_id, id)));
    batch.forEach((entry, index) => {
      table("outbox").delete(entry.seq);
      const later = waiting[index].filter((one) => one.seq !== entry.seq);
      const event = answered[index]?.event;
      if (!event) {
        gone += 1;
        aside.push(putAside(table, entry.family_id, entry.id, now()));
        for (const one of later) table("outbox").delete(one.seq);
        return;
      }
      for (const one of later) table("outbox").put({ ...one, base: event });
      put(table, entry.type, event, entry.family_id, later);
    });
    await Promise.all(aside);
    if (gone) table("notices").add({ kind: "gone", text: texts.gone(gone) });
  });

/** @param {Store} store @param {Creation[]} batch @param {Refusal} refusal */
async function refused(store, batch, refusal) {
  if (refusal.status === 404) return childGone(store, batch[0]);
  /** @type {Map<number, Detail[]>} */
  const reasons = new Map();
  for (const detail of refusal.details) {
    const [, index, field] = /^events\[(\d+)\](?:\.event)?\.?(.*)$/.exec(detail.field) ?? [];
    if (index !== undefined) reasons.set(Number(index), [...reasons.get(Number(index)) ?? [], { ...detail, field }]);
  }
  const inWords = (/** @type {Detail[]} */ details) => details.map((one) => texts.reason(one, refusal.code)).join(" ");
  if (!reasons.size && batch.length > 1 && refusal.status !== 403) {
    return mark(store, batch, (entry) => ({ ...entry, tries: 0, solo: true })); // one by one it will show which it is
  }
  if (batch.length === 1 && refusal.status === 410) return settle(store, batch, []);
  await mark(store, batch, (entry, index) => {
    const details = reasons.get(index) ?? (reasons.size ? undefined : refusal.details);
    if (!details) return { ...entry, tries: 0 };
    return inTime(entry, details) ?? { ...entry, tries: 0, rejected: inWords(details) || texts.refusal(refusal) };
  });
}

const TIMES = ["started_at", "ended_at", "occurred_at"];

/**
 * An event that was logged by a clock that ran ahead: once the server's time is known, it is put right and sent again.
 * A server from before reasons names the time alone.
 * @param {Creation} entry
 * @param {Detail[]} details
 */
export function inTime(entry, details) {
  const shift = clock.offset() - (entry.offset ?? 0);
  const isAhead = details.some(({ field, reason }) => reason ? reason === "in_future" : Date.parse(entry.event[field]) > now());
  if (!isAhead || shift > -60_000) return null;
  const event = { ...entry.event };
  for (const field of TIMES) {
    if (event[field]) event[field] = new Date(Date.parse(event[field]) + shift).toISOString();
  }
  return { ...entry, event, tries: 0, offset: clock.offset(), isShifted: true };
}

/**
 * A creation that was refused, with the edits that wait behind it, as they can't go without it. Null where it was deleted since.
 * @param {import("../store/database.js").Tables} table @param {Creation} entry @returns {Promise<Creation | null>}
 */
async function withLater(table, entry) {
  const later = (await waitingFor(table, entry.family_id, entry.id)).filter(({ seq }) => seq !== entry.seq);
  for (const { seq } of later) table("outbox").delete(seq);
  if (later.at(-1)?.op === "delete") return null;
  /** @type {any} */
  let event = entry.event;
  for (const one of later) if (one.op === "edit") event = merge(entry.type, event, one.patch);
  return { ...entry, child_id: event.child_id ?? entry.child_id, event };
}

/** @param {Store} store @param {Creation[]} batch @param {(entry: Creation, index: number) => Creation & {isShifted?: boolean}} change */
const mark = (store, batch, change) =>
  store.write(["outbox", "events", "notices"], async (table) => {
    let shifted = false;
    for (const [index, entry] of batch.entries()) {
      const { isShifted, ...changed } = change(entry, index);
      const next = changed.rejected ? await withLater(table, changed) : changed;
      if (!next) {
        table("outbox").delete(entry.seq);
        continue;
      }
      table("outbox").put(next);
      if (!isShifted) continue;
      shifted = true;
      /** @type {import("../store/types").Kept | undefined} */
      const kept = await answer(table("events").get([entry.family_id, entry.id]));
      if (kept) table("events").put(record(kept.type, { ...kept.event, ...next.event }, kept.family_id));
    }
    if (shifted) table("notices").add({ kind: "clock", text: texts.clockCorrected });
  });

/** @param {Store} store @param {Entry} entry */
export const childGone = (store, { family_id, child_id }) =>
  store.write(["children", "events", "outbox", "notices"], (table) => takeUnsentOfChild(table, family_id, child_id));
