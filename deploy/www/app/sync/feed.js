// Down: the changes of one family, page by page, each page in the store before the next is asked for.

import { answer } from "../store/database.js";
import { remember, remembered } from "../store/account.js";
import { applyChanges, clearFamily, dropFamily, feedStores } from "../store/apply.js";
import { texts } from "../text.js";
import { get, Refusal } from "./api.js";

/** @typedef {import("../store/store.js").Store} Store */

// As much as the server gives. The first refusal tells that it gives less, which holds for as long as this version does.
const LESS = "page-limit";
let limit = remembered(LESS) === import.meta.url ? 200 : 1_000;

/** @param {string} family @param {number} since @param {number} wait seconds @param {AbortSignal} [signal] */
async function page(family, since, wait, signal) {
  for (;;) {
    const query = `since=${since}&limit=${limit}${wait ? `&wait=${wait}` : ""}`;
    try {
      return await get(`/families/${family}/changes?${query}`, { signal, seconds: 20 + wait });
    } catch (error) {
      const isTooMany = error instanceof Refusal && error.status === 400 && limit > 200;
      if (!isTooMany) throw error;
      limit = 200;
      remember(LESS, import.meta.url);
    }
  }
}

/** @param {Store} store @param {string} family */
const sinceOf = (store, family) => store.read(["meta"], (in_) => answer(in_("meta").get(`since:${family}`)));

/**
 * Takes everything that is new; with `wait` the first question is held until something is.
 * @param {Store} store @param {string} family @param {{wait?: number, signal?: AbortSignal}} options
 * @returns {Promise<number>} how many changes there were
 */
export async function pull(store, family, { wait = 0, signal } = {}) {
  let count = 0;
  for (let hasMore = true; hasMore; wait = 0) {
    const since = (await sinceOf(store, family)) ?? 0;
    /** @type {any} */
    let answered;
    try {
      answered = await page(family, since, wait, signal);
    } catch (error) {
      if (error instanceof Refusal && error.status === 410) return readAnew(store, family, signal);
      if (error instanceof Refusal && error.status === 403) {
        await leaveBehind(store, family);
        return 0;
      }
      throw error;
    }
    if (answered.changes.length || answered.next_since !== since) {
      await store.write(feedStores, (in_) => applyChanges(in_, family, answered.changes, answered.next_since, since === 0));
    }
    count += answered.changes.length;
    hasMore = answered.has_more;
  }
  return count;
}

/**
 * The server has forgotten what was deleted since: the family is read beside the old copy, and swapped for it at once.
 * @param {Store} store
 * @param {string} family
 * @param {AbortSignal} [signal]
 */
async function readAnew(store, family, signal) {
  /** @type {any[]} */
  const changes = [];
  let since = 0;
  for (let hasMore = true; hasMore; ) {
    const answered = await page(family, since, 0, signal);
    changes.push(...answered.changes);
    since = answered.next_since;
    hasMore = answered.has_more;
  }
  await store.write(feedStores, async (in_) => {
    await clearFamily(in_, family);
    await applyChanges(in_, family, changes, since, true);
  });
  return changes.length;
}

/** @param {Store} store @param {string} family */
export async function leaveBehind(store, family) {
  await store.write([...feedStores, "notices"], async (in_) => {
    const { name, dropped } = await dropFamily(in_, family);
    if (name) in_("notices").add({ kind: "family-gone", text: texts.familyGone(name, dropped) });
  });
}
