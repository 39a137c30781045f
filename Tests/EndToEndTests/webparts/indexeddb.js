// The least of IndexedDB that the store uses, in memory, for tests under node. Transactions don't wait for each other.

const rank = (key) => (Array.isArray(key) ? 3 : typeof key === "string" ? 2 : 1);

function compare(a, b) {
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (!Array.isArray(a)) return a < b ? -1 : a > b ? 1 : 0;
  for (const [place, one] of a.entries()) {
    const order = place < b.length ? compare(one, b[place]) : 1;
    if (order) return order;
  }
  return a.length - b.length;
}

class Range {
  constructor(lower, upper, lowerOpen = false, upperOpen = false) {
    Object.assign(this, { lower, upper, lowerOpen, upperOpen });
  }
  includes(key) {
    const low = this.lower === undefined ? 1 : compare(key, this.lower);
    const high = this.upper === undefined ? -1 : compare(key, this.upper);
    return (this.lowerOpen ? low > 0 : low >= 0) && (this.upperOpen ? high < 0 : high <= 0);
  }
}
const rangeOf = (query) => (query instanceof Range ? query : query == null ? new Range() : new Range(query, query));

const keyAt = (value, path) => {
  if (!Array.isArray(path)) return value[path];
  const parts = path.map((one) => value[one]);
  return parts.some((one) => one === undefined || Number.isNaN(one)) ? undefined : parts;
};

/** What a store or an index is asked: both are rows with keys. */
class Source {
  constructor(transaction, rows) {
    Object.assign(this, { transaction, rows });
  }
  #ask(query, give, count = Infinity) {
    const range = rangeOf(query);
    return this.transaction.request(() =>
      give(this.rows().filter(({ key }) => range.includes(key)).sort((a, b) => compare(a.key, b.key) || compare(a.primary, b.primary)).slice(0, count)));
  }
  get(query) { return this.#ask(query, ([row]) => structuredClone(row?.value)); }
  getKey(query) { return this.#ask(query, ([row]) => row?.primary); }
  getAll(query, count) { return this.#ask(query, (rows) => rows.map(({ value }) => structuredClone(value)), count); }
  getAllKeys(query, count) { return this.#ask(query, (rows) => rows.map(({ primary }) => primary), count); }
  count(query) { return this.#ask(query, (rows) => rows.length); }
}

class ObjectStore extends Source {
  constructor(transaction, store) {
    super(transaction, () => [...store.rows.values()].map(({ key, value }) => ({ key, primary: key, value })));
    this.store = store;
  }
  set name(name) { this.transaction.database.rename(this.store, name); }
  put(value, key) {
    const { store } = this;
    const kept = structuredClone(value);
    return this.transaction.request(() => {
      if (store.autoIncrement && kept[store.keyPath] === undefined) kept[store.keyPath] = store.next += 1;
      const at = store.keyPath ? keyAt(kept, store.keyPath) : key;
      if (at === undefined) throw new DOMException("no key", "DataError");
      store.rows.set(JSON.stringify(at), { key: at, value: kept });
      return at;
    });
  }
  add(value, key) { return this.put(value, key); }
  delete(query) {
    const range = rangeOf(query);
    return this.transaction.request(() => {
      for (const [name, { key }] of this.store.rows) if (range.includes(key)) this.store.rows.delete(name);
    });
  }
  createIndex(name, path) { this.store.indexes.set(name, path); }
  deleteIndex(name) { this.store.indexes.delete(name); }
  index(name) {
    const path = this.store.indexes.get(name);
    if (!path) throw new DOMException(name, "NotFoundError");
    return new Source(this.transaction, () => [...this.store.rows.values()].flatMap(({ key: primary, value }) => {
      const key = keyAt(value, path);
      return key === undefined ? [] : [{ key, primary, value }];
    }));
  }
}

class Transaction {
  constructor(database) {
    this.database = database;
    this.open = 1;
    this.before = database.copy();
    setImmediate(() => this.#settled());
  }
  objectStore(name) {
    const store = this.database.stores.get(name);
    if (!store) throw new DOMException(name, "NotFoundError");
    return new ObjectStore(this, store);
  }
  /** The answer comes later; what is asked in answer to it still belongs to the transaction. */
  request(work) {
    if (!this.open) throw new DOMException("it has ended", "TransactionInactiveError");
    const request = {};
    this.open += 1;
    setImmediate(() => {
      try {
        if (!this.isAborted) request.result = work();
      } catch (error) {
        request.error = error;
      }
      (request.error ? request.onerror : request.onsuccess)?.({ target: request });
      setImmediate(() => this.#settled());
    });
    return request;
  }
  #settled() {
    this.open -= 1;
    if (!this.open) (this.isAborted ? this.onabort : this.oncomplete)?.();
  }
  abort() {
    if (!this.open || this.isAborted) throw new DOMException("it has ended", "InvalidStateError");
    this.isAborted = true;
    this.database.stores = this.before;
  }
}

class Database {
  version = 0;
  stores = new Map();
  copy() {
    return new Map([...this.stores].map(([name, store]) => [name, { ...store, rows: new Map(store.rows), indexes: new Map(store.indexes) }]));
  }
  createObjectStore(name, { keyPath, autoIncrement = false } = {}) {
    this.stores.set(name, { keyPath, autoIncrement, next: 0, rows: new Map(), indexes: new Map() });
    return this.upgrade.objectStore(name);
  }
  deleteObjectStore(name) { this.stores.delete(name); }
  rename(store, name) {
    for (const [old, one] of this.stores) if (one === store) this.stores.delete(old);
    this.stores.set(name, store);
  }
  transaction() { return new Transaction(this); }
  close() {}
}

const databases = new Map();
globalThis.IDBKeyRange = {
  bound: (...all) => new Range(...all), lowerBound: (lower, isOpen) => new Range(lower, undefined, isOpen), only: (key) => new Range(key, key),
};
globalThis.indexedDB = {
  open(name, version) {
    const request = {};
    setImmediate(() => {
      const database = databases.get(name) ?? new Database();
      databases.set(name, database);
      request.result = database;
      if (database.version >= version) return request.onsuccess?.();
      const oldVersion = database.version;
      database.version = version;
      database.upgrade = request.transaction = new Transaction(database);
      database.upgrade.oncomplete = () => request.onsuccess?.();
      database.upgrade.onabort = () => request.onerror?.();
      request.onupgradeneeded?.({ oldVersion });
    });
    return request;
  },
  deleteDatabase(name) {
    const request = {};
    setImmediate(() => (databases.delete(name), request.onsuccess?.()));
    return request;
  },
};
