// One account's data on this device. Screens read it and are told when it changes; other tabs are told as well.

import { forgetGrowthAnswers } from "../model/growth-device.js";
import { remember } from "./account.js";
import { answer, destroy, everything, open, transact } from "./database.js";
import { inTimeline } from "./merge.js";

/** @typedef {import("./account.js").Account} Account */
/** @typedef {import("./types").Snapshot} Snapshot */
/** @typedef {import("./types").Kept} Kept */
/** @template T @typedef {(table: import("./database.js").Tables) => Promise<T>} Work in one transaction */

export class Store extends EventTarget {
  /** @param {IDBDatabase} database @param {Account} account */
  constructor(database, account) {
    super();
    this.database = database;
    this.account = account;
    /** How the sync fares: `ok`, `offline`, `busy`, or `full` where this device keeps no more. */
    this.status = "ok";
    this.isClosed = false;
    /** When the server last said what is new. */
    this.heardAt = -Infinity;
    /** @type {Snapshot} */
    this.snapshot = arrange(account, [], [], [], { outbox: [], notices: [] });
    this.channel = new BroadcastChannel(`baby-basics-${account.id}`);
    this.channel.onmessage = (message) => this.#hear(message.data);
  }

  /** @param {Account} account */
  static async open(account) {
    /** @type {Store} */
    const store = new Store(await open(account.id, () => store.#outdated()), account);
    await store.#read();
    return store;
  }

  /** A newer version of the app has opened the store, and this one can't read it any more. */
  #outdated() {
    this.isClosed = true;
    this.dispatchEvent(new Event("outdated"));
  }

  /** @param {any} message */
  #hear(message) {
    if (message.name === "changed") this.#renew();
    if (message.name === "outbox") this.dispatchEvent(new Event("outbox"));
    if (message.name === "status") this.#setStatus(message.status);
    if (message.name === "heard") this.heardAt = message.at;
    if (["signed-out", "forgotten", "reminders"].includes(message.name)) this.dispatchEvent(new Event(message.name));
  }

  /** @param {string} name @param {any} [more] */
  tell(name, more = {}) {
    this.channel.postMessage({ name, ...more });
  }

  /** @template T @param {string[]} stores @param {Work<T>} work */
  async write(stores, work) {
    const result = await this.writeUnseen(stores, work);
    await this.show();
    return result;
  }

  /** Tells this tab's screens and the others' of what was written. */
  show() {
    this.tell("changed");
    return this.#renew();
  }

  /**
   * A change that no screen shows.
   * @template T @param {string[]} stores @param {Work<T>} work
   */
  writeUnseen(stores, work) {
    return transact(this.database, stores, "readwrite", work);
  }

  /** @template T @param {string[]} stores @param {Work<T>} work */
  read(stores, work) {
    return transact(this.database, stores, "readonly", work);
  }

  /** The active family, for the screens that are shown where there is one. */
  get family() {
    if (!this.snapshot.family) throw new Error("there is no family");
    return this.snapshot.family;
  }

  outboxChanged() {
    this.tell("outbox");
    this.dispatchEvent(new Event("outbox"));
  }

  remindersChanged() {
    this.tell("reminders");
    this.dispatchEvent(new Event("reminders"));
  }

  /** @param {number} at what was logged until then is here */
  heard(at) {
    this.heardAt = at;
    this.tell("heard", { at });
  }

  /** @param {string} status */
  setStatus(status) {
    if (status === this.status) return;
    this.tell("status", { status });
    this.#setStatus(status);
  }

  /** @param {string} status */
  #setStatus(status) {
    this.status = status;
    this.dispatchEvent(new Event("change"));
  }

  async #renew() {
    this.dispatchEvent(new Event("data")); // questions to the store are asked beside this one
    await this.#read();
  }

  /** Reads all but the events, which are many. */
  async #read() {
    const [families, members, children, outbox, notices, active, child, known] = await this.read(
      ["families", "members", "children", "outbox", "notices", "meta"],
      (table) =>
        Promise.all([
          answer(table("families").getAll()), answer(table("members").getAll()), answer(table("children").getAll()),
          answer(table("outbox").getAll(null, 1_000)), answer(table("notices").getAll()),
          answer(table("meta").get("activeFamilyId")), answer(table("meta").get("activeChildId")),
          answer(table("meta").get("familiesKnown")),
        ]),
    );
    const before = this.snapshot;
    this.snapshot = arrange(this.account, families, members, children, { outbox, notices, active, child, known });
    forgetGone(before, children);
    this.dispatchEvent(new Event("change"));
  }

  /**
   * Other devices' and this one's choice of family and child.
   * @param {string} familyId
   * @param {string} [childId]
   */
  choose(familyId, childId) {
    return this.write(["meta"], async (table) => {
      table("meta").put(familyId, "activeFamilyId");
      if (childId) table("meta").put(childId, "activeChildId");
    });
  }

  /** @param {Omit<import("./types").Notice, "key">} notice */
  notify(notice) {
    return this.write(["notices"], async (table) => {
      table("notices").add(notice);
    });
  }

  /** @param {number} key */
  dismiss(key) {
    return this.write(["notices"], async (table) => {
      table("notices").delete(key);
    });
  }

  /**
   * The child's events in the timeline's form, newest first.
   * @param {string} child
   * @param {{from?: number | string | Date, to?: number | string | Date, type?: string}} range
   */
  async events(child, { from = -Infinity, to = Infinity, type } = {}) {
    if (type) return (await this.recent(child, type, -Infinity)).map(inTimeline);
    const range = IDBKeyRange.bound([child, +new Date(from) || -Infinity], [child, +new Date(to) || Infinity], false, true);
    const found = await this.read(["events"], (table) => answer(table("events").index("time").getAll(range)));
    return found.map(inTimeline).reverse();
  }

  /**
   * The newest of them, of one kind or of all; those before a moment.
   * @param {string} child @param {string} type "" for all @param {number} count @param {number} [before] @returns {Promise<Kept[]>}
   */
  page(child, type, count, before = Infinity) {
    const key = type ? [child, type] : [child];
    return this.read(["events"], async (table) => {
      const found = [];
      const index = table("events").index(type ? "kind" : "time");
      const cursor = index.openCursor(IDBKeyRange.bound([...key, -Infinity], [...key, before], false, true), "prev");
      for (let at = await answer(cursor); at && found.length < count; at = await answer(cursor)) {
        found.push(at.value);
        at.continue();
      }
      return found;
    });
  }

  /**
   * Of one kind, newest first.
   * @param {string} child @param {string} type @param {number} from @param {number} [to] @returns {Promise<Kept[]>}
   */
  async recent(child, type, from, to = Infinity) {
    const range = IDBKeyRange.bound([child, type, from], [child, type, to]);
    const found = await this.read(["events"], (table) => answer(table("events").index("kind").getAll(range)));
    return found.reverse();
  }

  /**
   * The latest of each kind, what is under way, and of some kinds all since a moment, newest first: in one transaction,
   * as somebody waits for it.
   * @param {string} child @param {string[]} types @param {string[]} several @param {number} since
   * @returns {Promise<{open: Kept[], last: Record<string, Kept | null>, recent: Record<string, Kept[]>}>}
   */
  latest(child, types, several, since) {
    return this.read(["events"], async (table) => {
      const index = table("events").index("kind");
      const of = (/** @type {string} */ type, from = -Infinity) => IDBKeyRange.bound([child, type, from], [child, type, Infinity]);
      const [open, last, recent] = await Promise.all([
        answer(table("events").index("open").getAll([child, 1])),
        Promise.all(types.map((type) => answer(index.openCursor(of(type), "prev")))),
        Promise.all(several.map((type) => answer(index.getAll(of(type, since))))),
      ]);
      return {
        open, last: Object.fromEntries(types.map((type, at) => [type, last[at]?.value ?? null])),
        recent: Object.fromEntries(several.map((type, at) => [type, recent[at].reverse()])),
      };
    });
  }

  /**
   * A child's plans of medicine.
   * @param {string} child @returns {Promise<Kept[]>}
   */
  plans(child) {
    return this.read(["events"], (table) => answer(table("events").index("plan").getAll([child, 1])));
  }

  /** @param {string} family @param {string} id @returns {Promise<Kept | undefined>} */
  event(family, id) {
    return this.read(["events"], (table) => answer(table("events").get([family, id])));
  }

  close() {
    this.isClosed = true;
    this.channel.close();
    this.database.close();
  }

  /** Signing out: nothing of the account stays here. */
  async forget() {
    // The feed of a deleted account may have heard of the session's end already, and has told the other tabs.
    if (!this.isClosed) {
      this.tell("forgotten");
      this.close();
    }
    remember("overlaps-seen", null);
    await destroy(this.account.id);
  }
}

export { everything };

/**
 * What only this device was told about a child goes with the child.
 * @param {Snapshot} before @param {{id: string}[]} children
 */
function forgetGone(before, children) {
  const here = new Set(children.map(({ id }) => id));
  const gone = before.families.flatMap((family) => family.children).filter((child) => !here.has(child.id));
  for (const { id } of gone) forgetGrowthAnswers(id);
}

/** @param {{id: string, created_at: string}} a @param {{id: string, created_at: string}} b */
const oldestFirst = (a, b) => Date.parse(a.created_at) - Date.parse(b.created_at) || (a.id < b.id ? -1 : 1);

/**
 * @param {Account} account @param {import("../types/api").FamilySummary[]} families @param {import("./types").StoredMember[]} members
 * @param {import("./types").StoredChild[]} children
 * @param {{outbox: import("./types").Entry[], notices: import("./types").Notice[], active?: string, child?: string, known?: boolean}} rest
 * @returns {Snapshot}
 */
function arrange(account, families, members, children, { outbox, notices, active, child, known }) {
  const whole = families.sort(oldestFirst).map((family) => {
    const people = members
      .filter(({ family_id, access_until }) => family_id === family.id && !(access_until && Date.parse(access_until) <= Date.now()))
      .sort((a, b) => Date.parse(a.joined_at) - Date.parse(b.joined_at));
    return {
      ...family, members: people, role: people.find((member) => member.user_id === account.id)?.role ?? family.role,
      children: children.filter((one) => one.family_id === family.id).sort(oldestFirst),
      unsent: outbox.filter((entry) => entry.family_id === family.id).length,
    };
  });
  const family = whole.find((one) => one.id === active) ?? whole[0] ?? null;
  return {
    account, families: whole, family, notices, isKnown: known === true || whole.length > 0,
    child: family?.children.find((one) => one.id === child) ?? family?.children[0] ?? null,
    waiting: outbox.filter((entry) => !entry.rejected).length,
    onlyHere: notices.reduce((sum, { unsent, count }) => sum + (unsent?.length && count || 0), outbox.length),
    rejected: /** @type {Snapshot["rejected"]} */ (outbox.filter((entry) => entry.rejected)),
    waitingIds: new Set(outbox.filter((entry) => entry.family_id === family?.id).map((entry) => entry.id)),
  };
}
