// A person's reminders: up what changed here, when the outbox comes to it; down what the server has.

import { keepReminders, keptReminders, reminderSent } from "../store/reminders.js";
import { texts } from "../parts/text.js";
import { del, get, post, Refusal } from "./api.js";

/** @typedef {import("../store/store.js").Store} Store */
/** @typedef {import("../model/reminders.js").Reminder} Reminder */

const PATH = "/users/me/reminders";

/**
 * Takes over what the server has. What was told to it meanwhile may not be in its answer: then it is asked again.
 * @param {Store} store @param {AbortSignal} [signal]
 */
export async function readReminders(store, signal) {
  for (;;) {
    const before = await keptReminders(store);
    const answered = await get(PATH, { signal }).catch((error) => {
      if (error instanceof Refusal && error.status === 404) return null; // a server from before reminders
      throw error;
    });
    if (!answered || (await keepReminders(store, before, answered.reminders))) return;
  }
}

/**
 * @param {Store} store @param {string} id @param {Reminder | null} wanted null: it is to go
 * @param {AbortSignal} [signal]
 */
export async function sendReminder(store, id, wanted, signal) {
  try {
    const answered = wanted ? await post(PATH, wanted, { signal }) : await del(`${PATH}/${id}`, { signal });
    await reminderSent(store, id, wanted, answered.body?.reminder ?? null);
  } catch (error) {
    if (!(error instanceof Refusal) || error.passes || error.status === 401) throw error;
    await reminderSent(store, id, wanted, null);
    const isGone = wanted?.plan_id && !(await store.plans(wanted.child_id)).some((plan) => plan.id === wanted.plan_id);
    if (wanted && !isGone) await store.notify({ kind: "reminder", text: texts.reminderRefused(error) });
  }
}
