// A person's reminders: up what changed here, down what the server has.

import { keepReminders, reminderSent, unsentReminders } from "../store/reminders.js";
import { texts } from "../parts/text.js";
import { del, get, post, Refusal } from "./api.js";

/** @typedef {import("../store/store.js").Store} Store */
/** @typedef {import("../model/reminders.js").Reminder} Reminder */

const PATH = "/users/me/reminders";

/** @param {Store} store @param {AbortSignal} [signal] */
export async function syncReminders(store, signal) {
  for (const [id, wanted] of Object.entries(await unsentReminders(store))) await send(store, id, wanted, signal);
  const answered = await get(PATH, { signal }).catch((error) => {
    if (error instanceof Refusal && error.status === 404) return null; // a server from before reminders
    throw error;
  });
  if (answered) await keepReminders(store, answered.reminders);
}

/**
 * @param {Store} store @param {string} id @param {Reminder | null} wanted null: it is to go
 * @param {AbortSignal} [signal]
 */
async function send(store, id, wanted, signal) {
  try {
    const answered = wanted ? await post(PATH, wanted, { signal }) : await del(`${PATH}/${id}`, { signal });
    await reminderSent(store, id, wanted, answered.body?.reminder ?? null);
  } catch (error) {
    if (!(error instanceof Refusal) || error.passes || error.status === 401) throw error;
    await reminderSent(store, id, wanted, null);
    if (wanted) await store.notify({ kind: "reminder", text: texts.reminderRefused(error) });
  }
}
