// IndexedDB with promises: one database an account, and transactions that end with the work given to them.

const VERSION = 1;

/** @param {IDBDatabase} database */
function lay(database) {
  database.createObjectStore("meta");
  database.createObjectStore("families", { keyPath: "id" });
  database.createObjectStore("members", { keyPath: ["family_id", "user_id"] });
  database.createObjectStore("children", { keyPath: "id" }).createIndex("family", "family_id");
  const events = database.createObjectStore("events", { keyPath: "id" });
  events.createIndex("time", ["child_id", "time"]);
  events.createIndex("kind", ["child_id", "type", "time"]);
  events.createIndex("open", ["child_id", "open"]); // holds the few records that have `open`
  events.createIndex("family", "family_id");
  const outbox = database.createObjectStore("outbox", { keyPath: "seq", autoIncrement: true });
  outbox.createIndex("id", "id");
  outbox.createIndex("family", "family_id");
  database.createObjectStore("notices", { keyPath: "key", autoIncrement: true });
}

export const everything = ["meta", "families", "members", "children", "events", "outbox", "notices"];

/** @param {string} account */
const nameOf = (account) => `baby-basics-${account}`;

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
export const answer = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** @param {string} account @returns {Promise<IDBDatabase>} */
export async function open(account) {
  const request = indexedDB.open(nameOf(account), VERSION);
  request.onupgradeneeded = () => lay(request.result);
  const database = await answer(request);
  database.onversionchange = () => database.close(); // another tab signs out
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
 * @param {(in_: (name: string) => IDBObjectStore) => Promise<T>} work awaits nothing but requests of this transaction
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
