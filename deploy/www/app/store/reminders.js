// A person's own reminders, as the server has them, and what of them it does not know yet.

import { answer } from "./database.js";
import { uuid } from "./uuid.js";

/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("../model/reminders.js").Reminder} Reminder */
/** @typedef {{list: Reminder[], unsent: Record<string, Reminder | null>}} Kept `unsent`: null is one that is to go */

const KEY = "reminders";

/** @param {import("./database.js").Tables} table @returns {Promise<Kept>} */
const read = async (table) => (await answer(table("meta").get(KEY))) ?? { list: [], unsent: {} };

/** @param {Kept} kept @returns {Reminder[]} */
const shown = ({ list, unsent }) => [
  ...list.filter(({ id }) => !(id in unsent)), .../** @type {Reminder[]} */ (Object.values(unsent).filter(Boolean)),
];

/** @param {Store} store @returns {Promise<Reminder[]>} */
export const reminders = (store) => store.read(["meta"], async (table) => shown(await read(table)));

/** @param {Store} store */
export const keptReminders = (store) => store.read(["meta"], read);

/**
 * The next that the server can be told of. One about a plan waits for the server to know the plan.
 * @param {import("./database.js").Tables} table @returns {Promise<[id: string, wanted: Reminder | null] | null>}
 */
export async function nextUnsent(table) {
  for (const [id, wanted] of Object.entries((await read(table)).unsent)) {
    /** @type {import("./types").Kept[]} */
    const plans = wanted?.plan_id ? await answer(table("events").index("plan").getAll([wanted.child_id, 1])) : [];
    if (!plans.some((plan) => plan.id === wanted?.plan_id && plan.event.revision === 0)) return [id, wanted];
  }
  return null;
}

/** @typedef {{child_id: string, on: string} | {child_id: string, plan_id: string}} About what a reminder is about */

/** @param {Reminder} one @param {any} about */
export const isAbout = (one, { child_id, on, plan_id }) =>
  one.child_id === child_id && (plan_id ? one.plan_id === plan_id : one.on === on);

/**
 * Sets the reminder about something; the server has one of each too.
 * @param {Store} store @param {About} about
 * @param {{after_minutes?: number} | null} how null: none
 */
export async function remind(store, about, how) {
  await store.write(["meta"], async (table) => {
    const kept = await read(table);
    const id = shown(kept).find((one) => isAbout(one, about))?.id ?? uuid();
    table("meta").put({ ...kept, unsent: { ...kept.unsent, [id]: how && { id, ...about, ...how } } }, KEY);
  });
  store.remindersChanged();
}

/**
 * The server has been told of one; it may have changed again meanwhile.
 * @param {Store} store @param {string} id
 * @param {Reminder | null} sent @param {Reminder | null} kept as the server has it
 */
export const reminderSent = (store, id, sent, kept) =>
  store.write(["meta"], async (table) => {
    const { list, unsent } = await read(table);
    const others = list.filter((one) => one.id !== id && one.id !== kept?.id);
    const rest = { ...unsent };
    if (JSON.stringify(rest[id]) === JSON.stringify(sent)) delete rest[id];
    table("meta").put({ list: kept ? [...others, kept] : others, unsent: rest }, KEY);
  });

/**
 * Takes over what the server has, unless it was told something since it was asked.
 * @param {Store} store @param {Kept} before as it was then @param {Reminder[]} list
 * @returns {Promise<boolean>} whether it did
 */
export async function keepReminders(store, before, list) {
  const isSame = (/** @type {Reminder[]} */ one, /** @type {Reminder[]} */ other) => JSON.stringify(one) === JSON.stringify(other);
  if (isSame(before.list, list)) return true;
  return store.write(["meta"], async (table) => {
    const kept = await read(table);
    if (!isSame(kept.list, before.list)) return false;
    table("meta").put({ ...kept, list }, KEY);
    return true;
  });
}

/** @param {Store} store @returns {Promise<Record<string, string>>} for which event each was said to be seen */
export const seenReminders = (store) =>
  store.read(["meta"], async (table) => (await answer(table("meta").get("reminders-seen"))) ?? {});

/**
 * One that is due has been seen: it comes again with the next event.
 * @param {Store} store @param {string} id @param {string} event
 */
export const seeReminder = (store, id, event) =>
  store.write(["meta"], async (table) => {
    const seen = (await answer(table("meta").get("reminders-seen"))) ?? {};
    table("meta").put({ ...seen, [id]: event }, "reminders-seen");
  });
