// IndexedDB with promises: one database an account, and transactions that end with the work given to them.

/** @typedef {(name: string) => IDBObjectStore} Tables the object stores of a transaction */

const VERSION = 4;

/** @param {IDBDatabase} database */
function createStores(database) {
  database.createObjectStore("meta");
  database.createObjectStore("families", { keyPath: "id" });
  database.createObjectStore("members", { keyPath: ["family_id", "user_id"] });
  database.createObjectStore("children", { keyPath: "id" }).createIndex("family", "family_id");
  createEvents(database);
  const outbox = database.createObjectStore("outbox", { keyPath: "seq", autoIncrement: true });
  outbox.createIndex("event", ["family_id", "id"]);
  outbox.createIndex("family", "family_id");
  database.createObjectStore("notices", { keyPath: "key", autoIncrement: true });
  createDeleted(database);
}

/**
 * Events that were deleted; since version 3.
 * @param {IDBDatabase} database
 */
function createDeleted(database) {
  const deleted = database.createObjectStore("deleted", { keyPath: ["family_id", "id"] });
  deleted.createIndex("child", ["child_id", "deleted"]);
  deleted.createIndex("when", "deleted");
}

/**
 * An event's id is its family's: two families may have the same.
 * @param {IDBDatabase} database
 */
function createEvents(database) {
  const events = database.createObjectStore("events", { keyPath: ["family_id", "id"] });
  events.createIndex("time", ["child_id", "time"]);
  events.createIndex("kind", ["child_id", "type", "time"]);
  events.createIndex("open", ["child_id", "open"]); // holds the few records that have `open`
  events.createIndex("family", "family_id");
  createPlans(events);
  return events;
}

/**
 * Plans of medicine; since version 4.
 * @param {IDBObjectStore} events
 */
const createPlans = (events) => events.createIndex("plan", ["child_id", "plan"]);

/**
 * Version 1 had events by their id alone, and called `aside` why an entry was rejected.
 * @param {IDBDatabase} database @param {IDBTransaction} transaction
 */
async function upgradeFrom1(database, transaction) {
  const before = transaction.objectStore("events");
  before.name = "events-1";
  const events = createEvents(database);
  for (const one of await answer(before.getAll())) events.put(one);
  database.deleteObjectStore("events-1");
  const outbox = transaction.objectStore("outbox");
  outbox.deleteIndex("id");
  outbox.createIndex("event", ["family_id", "id"]);
  for (const { aside, ...entry } of await answer(outbox.getAll())) {
    if (aside) outbox.put({ ...entry, rejected: aside });
  }
}

/**
 * Each family is read once more: versions before passed over what they did not know, of events and of plans.
 * @param {IDBTransaction} transaction
 */
async function readAnew(transaction) {
  for (const family of await answer(transaction.objectStore("families").getAllKeys())) {
    transaction.objectStore("meta").put(true, `anew:${family}`);
  }
}

export const everything = ["meta", "families", "members", "children", "events", "outbox", "notices", "deleted"];

/** @param {string} account */
const nameOf = (account) => `baby-basics-${account}`;

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
export const answer = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/**
 * @param {string} account
 * @param {() => void} [onOutdated] another tab has a newer version of the store
 * @returns {Promise<IDBDatabase>}
 */
export async function open(account, onOutdated = () => {}) {
  const request = indexedDB.open(nameOf(account), VERSION);
  request.onupgradeneeded = ({ oldVersion }) => {
    const transaction = /** @type {IDBTransaction} */ (request.transaction);
    if (oldVersion === 0) return createStores(request.result);
    if (oldVersion < 3) createDeleted(request.result);
    if (oldVersion > 1) createPlans(transaction.objectStore("events"));
    const upgraded = oldVersion === 1 ? upgradeFrom1(request.result, transaction) : Promise.resolve();
    upgraded.then(() => readAnew(transaction)).catch(() => transaction.abort());
  };
  const database = await answer(request);
  database.onversionchange = ({ newVersion }) => {
    database.close();
    if (newVersion) onOutdated();
  };
  return database;
}

/** @param {string} account */
export async function destroy(account) {
  await answer(indexedDB.deleteDatabase(nameOf(account)));
}

/**
 * Runs `work` in one transaction and returns when it is kept; an error undoes all of it.
 * @template T
 * @param {IDBDatabase} database
 * @param {string[]} stores
 * @param {IDBTransactionMode} mode
 * @param {(table: Tables) => Promise<T>} work awaits nothing but requests of this transaction
 * @returns {Promise<T>}
 */
export async function transact(database, stores, mode, work) {
  const transaction = database.transaction(stores, mode);
  const kept = new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(undefined);
    transaction.onabort = () => reject(transaction.error ?? new DOMException("undone", "AbortError"));
  });
  kept.catch(() => {}); // reported once, by the error that led to it
  try {
    const result = await work((name) => transaction.objectStore(name));
    await kept;
    return result;
  } catch (error) {
    try {
      transaction.abort();
    } catch {
      // ended already
    }
    throw error;
  }
}
