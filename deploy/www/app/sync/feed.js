// Down: the changes of one family, page by page.

import { answer } from "../store/database.js";
import { remember, remembered } from "../store/account.js";
import { applyChanges, clearFamily, dropFamily, feedStores, isEvent, pending, put } from "../store/apply.js";
import { get, Refusal } from "./api.js";

/** @typedef {import("../store/store.js").Store} Store */

// As much as the server gives. The first refusal tells that it gives less, which holds for as long as this version does.
const LESS = "page-limit";
let limit = remembered(LESS) === import.meta.url ? 200 : 1_000;

/**
 * @param {string} family @param {number} since @param {number} wait seconds @param {AbortSignal} [signal]
 * @returns {Promise<import("../types/api").ChangeList>}
 */
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

/** @param {Store} store @param {string} family @returns {Promise<[since: number | undefined, isToBeReadAnew: boolean | undefined]>} */
const reached = (store, family) =>
  store.read(["meta"], (table) => Promise.all([answer(table("meta").get(`since:${family}`)), answer(table("meta").get(`anew:${family}`))]));

const SHOWN_EVERY = 1_000; // ms, while there is more to come

/**
 * Takes everything that is new; with `wait` the first question is held until something is.
 * @param {Store} store @param {string} family @param {{wait?: number, signal?: AbortSignal}} options
 * @returns {Promise<number>} how many changes there were
 */
export async function pull(store, family, { wait = 0, signal } = {}) {
  try {
    const [since = 0, isToBeReadAnew] = await reached(store, family);
    return await (isToBeReadAnew ? readAnew(store, family, signal) : goOn(store, family, since, wait, signal));
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 403)) throw error;
    await leaveBehind(store, family);
    return 0;
  }
}

/**
 * Page by page from where the store is. The next page is asked for while one is written into the store.
 * @param {Store} store @param {string} family @param {number} since @param {number} wait @param {AbortSignal} [signal]
 */
async function goOn(store, family, since, wait, signal) {
  let count = 0;
  let shownAt = 0;
  const isNew = since === 0;
  for (let next = page(family, since, wait, signal), hasMore = true; hasMore; ) {
    /** @type {import("../types/api").ChangeList} */
    let answered;
    try {
      answered = await next;
    } catch (error) {
      if (count) await store.show();
      if (error instanceof Refusal && error.status === 410) return readAnew(store, family, signal);
      throw error;
    }
    const { changes, next_since: last } = answered;
    hasMore = answered.has_more;
    // The feed itself brings it all: without an answer here it only takes longer.
    const isFirstOfMany = hasMore && isNew && !count;
    if (isFirstOfMany) await newestFirst(store, family, changes, signal).catch(() => {});
    if (hasMore) {
      next = page(family, last, 0, signal);
      next.catch(() => {}); // looked at when its turn comes
    }
    const isShown = !hasMore || Date.now() - shownAt > SHOWN_EVERY;
    if (changes.length || last !== since) {
      const write = isShown ? store.write.bind(store) : store.writeUnseen.bind(store);
      await write(feedStores, (table) => applyChanges(table, family, changes, last, since === 0 && !isFirstOfMany));
    }
    if (isShown) shownAt = Date.now();
    since = last;
    count += changes.length;
  }
  return count;
}

/**
 * The feed begins with what is oldest. On a new device a child's latest entries come first: they are what today shows,
 * and a family of years takes a while.
 * @param {Store} store @param {string} family @param {import("../types/api").Change[]} changes the feed's first page @param {AbortSignal} [signal]
 */
async function newestFirst(store, family, changes, signal) {
  /** @type {import("../types/api").ChildList} */
  const { children: all } = await get("/children", { signal });
  const children = all.filter((child) => child.family_id === family);
  /** @type {import("../types/api").Timeline[]} */
  const latest = await Promise.all(children.map((child) => get(`/children/${child.id}/timeline?limit=200`, { signal })));
  const events = latest.flatMap((one) => one.events);
  await store.write(feedStores, async (table) => {
    await applyChanges(table, family, changes, 0, true);
    for (const child of children) table("children").put({ ...child, family_id: family });
    const waiting = await pending(table, family, events.map(({ event }) => event.id));
    for (const { type, event } of events) {
      if (isEvent(type, event)) put(table, type, event, family, waiting.get(event.id));
    }
  });
}

/**
 * The server has forgotten what was deleted since: the family is read beside the old copy, and swapped for it at once.
 * @param {Store} store
 * @param {string} family
 * @param {AbortSignal} [signal]
 */
async function readAnew(store, family, signal) {
  /** @type {import("../types/api").Change[]} */
  const changes = [];
  let since = 0;
  for (let hasMore = true; hasMore; ) {
    const answered = await page(family, since, 0, signal);
    changes.push(...answered.changes);
    since = answered.next_since;
    hasMore = answered.has_more;
  }
  await store.write(feedStores, async (table) => {
    await clearFamily(table, family);
    await applyChanges(table, family, changes, since, true);
  });
  return changes.length;
}

/** @param {Store} store @param {string} family */
export async function leaveBehind(store, family) {
  await store.write(feedStores, (table) => dropFamily(table, family));
}
