// Carries out what was planned: adds, changes, and takes back.

import { del, get, patch, post, Refusal } from "../sync/api.js";
import { now } from "../store/clock.js";
import { keepUndone } from "../store/imports.js";
import { merge } from "../store/merge.js";
import { uuid } from "../store/uuid.js";
import { KINDS } from "./kinds.js";
import { noteAnswers, noteChange, noteUndone } from "./made.js";
import { oneByOne } from "./one-by-one.js";
import { contentOf } from "./rows.js";
import { run } from "./run.js";
import { upload } from "./upload.js";
import { say } from "../words.js";

/** @typedef {import("../store/store.js").Store} Store */
/** @typedef {import("./prepare.js").Change} Change */
/** @typedef {import("../store/imports.js").Import} Import */

/**
 * A device that keeps no more: the import goes on, and can be undone by its events.
 * @param {unknown} error
 */
const unnoted = (error) => console.warn(error);

/** @param {string} kind @param {string} child @param {string} id */
const pathOf = (kind, child, id) => `/children/${child}/${KINDS[kind].path}/${id}`;

/**
 * @param {import("./prepare.js").Plan} plan @param {import("./recognise.js").Source[]} sources
 * @param {{store: Store, family: string, imports: Import[]}} where
 */
export const start = ({ events, changes, problems }, sources, { store, family, imports }) =>
  run(say("import.importing"), events.length + changes.length, sources, async (signal, progress) => {
    const at = now();
    /** @type {Import} */
    const made = { id: uuid(at), family, at, by: store.account.id, files: sources.map(({ name }) => name), events: {} };
    const sent = await upload(events, {
      signal, progress,
      send: async (to, some, signal) => (await post(`/children/${to}/events`, { events: some }, { signal, seconds: 60 })).body,
      taken: (batch, answered) => noteAnswers(store, made, batch, answered).catch(unnoted),
    });
    const none = { done: 0, gone: 0, changed: [], refused: [], left: changes.length, stopped: null };
    const changed = sent.stopped || signal.aborted ? none : await oneByOne(changes, {
      signal, progress: (done, note) => progress(events.length - sent.left + done, note),
      send: async (one, signal) => {
        const event = await sendChange(one, signal);
        await noteChange(store, made, imports, one, event).catch(unnoted);
      },
    });
    const refused = [...sent.refused, ...changed.refused].map(({ one: { file, line, cells }, reason }) => ({ file, line, cells, reason }));
    return {
      ...sent, changed: changed.done, keptAsIs: changed.changed.length + changed.gone, left: sent.left + changed.left,
      stopped: sent.stopped ?? changed.stopped, problems: [...problems, ...refused], made: Object.keys(made.events).length ? made : null,
    };
  });

/**
 * An answer that was lost has changed it all the same. What somebody else has changed since is not the import's.
 * @param {Change} one @param {AbortSignal} signal @returns {Promise<import("../store/types").AnyEvent>} the event as this made it
 */
async function sendChange({ id, kind, child, event, before, patch: fields }, signal) {
  try {
    return (await patch(pathOf(kind, before.child_id, id), fields, { ifMatch: before.revision, signal })).body[kind];
  } catch (error) {
    if (!(error instanceof Refusal) || ![404, 412].includes(error.status)) throw error;
    const current = (await get(pathOf(kind, child, id), { signal }))[kind];
    const [is, wanted] = [current, event].map((one) => /** @type {any} */ (contentOf(kind, one)));
    const isDone = Object.keys(fields).every((field) => field === "child_id" || is[field] === wanted[field]);
    if (isDone) return { ...merge(kind, before, fields), revision: current.revision };
    throw error;
  }
}

/**
 * Deletes what an import made, unless somebody has changed it since.
 * @param {Import} one @param {{id: string, type: string, child_id: string, revision: number}[]} asMade @param {number} changed since
 * @param {Store} store
 */
export const undo = (one, asMade, changed, store) =>
  run(say("import.undoing"), asMade.length, [], async (signal, progress) => {
    const result = await oneByOne(asMade, {
      signal, progress,
      send: async ({ id, type, child_id, revision }, signal) => {
        await keepUndone(store, one.family, id, now()).catch(unnoted);
        await del(pathOf(type, child_id, id), { ifMatch: revision, signal });
      },
    });
    const { done, gone, left, stopped } = result;
    const kept = changed + result.changed.length + result.refused.length;
    await noteUndone(store, one, left ? asMade.slice(-left).map(({ id }) => id) : []);
    return { undone: done + gone, kept, left, stopped, problems: [] };
  });
