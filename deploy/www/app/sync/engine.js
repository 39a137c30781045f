// One tab of an account syncs, and only while somebody looks at it. It holds the account's lock; the others see what it stores.

import { accountOf, setAccount } from "../store/account.js";
import { feedStores } from "../store/apply.js";
import { now } from "../store/clock.js";
import { answer } from "../store/database.js";
import { get, NoAnswer, Refusal } from "./api.js";
import { leaveBehind, pull } from "./feed.js";
import { acceptPending } from "./invite.js";
import { sendNext } from "./outbox.js";
import { readReminders } from "./reminders.js";
import { backoff, pause } from "../store/pause.js";
import { heard, server } from "../store/server.js";

/** @typedef {import("../store/store.js").Store} Store */

const WAIT = 25; // seconds that a question may be held
const UNHELD = 20_000; // before asking again where the server doesn't hold it
const TOGETHER = 300; // ms after a log: the screen comes first, and the next one may travel with it
const LIVE = 5; // families that are followed live; a person has few

/** What is fetched when it is needed, without a network. @returns {never} */
const noAnswer = () => {
  throw new NoAnswer();
};

export class Engine {
  /** @param {Store} store @param {() => void} signedOut */
  constructor(store, signedOut) {
    this.store = store;
    this.signedOut = signedOut;
    /** @type {AbortController | null} */
    this.turn = null;
    /** @type {Set<string>} */
    this.followed = new Set();
    this.look = () => (document.visibilityState === "visible" ? this.begin() : this.rest());
  }

  start() {
    document.addEventListener("visibilitychange", this.look);
    this.look();
  }

  stop() {
    document.removeEventListener("visibilitychange", this.look);
    this.turn?.abort();
    this.turn = null;
  }

  begin() {
    if (this.turn) return;
    const turn = new AbortController();
    this.turn = turn;
    const work = () => this.#work(turn.signal);
    if (!navigator.locks) work();
    else navigator.locks.request(`sync-${this.store.account.id}`, { signal: turn.signal }, work).catch(() => {});
  }

  /** Nobody looks: what waits is still sent, then another tab may have the lock. */
  rest() {
    const turn = this.turn;
    this.turn = null;
    turn?.abort();
  }

  /** @param {AbortSignal} signal */
  async #work(signal) {
    this.followed = new Set();
    await this.#again(signal, async () => {
      await this.#greet(signal);
      return true;
    });
    await Promise.all([
      this.#up(signal), this.#familiesOverTime(signal), this.#invitation(signal), this.#reminders(signal),
      this.#push(signal),
    ]);
    if (!signal.aborted) return;
    const last = /** @type {any} */ (AbortSignal).timeout(10_000);
    try {
      while (!last.aborted && (await sendNext(this.store, last)));
    } catch {
      // it stays in the outbox
    }
  }

  /**
   * Repeats until it is done, for longer apart after each failure.
   * @param {AbortSignal} signal
   * @param {() => Promise<boolean>} step
   */
  async #again(signal, step) {
    for (let failures = 0; !signal.aborted; ) {
      try {
        if (await step()) return;
        failures = 0;
      } catch (error) {
        if (signal.aborted || this.store.isClosed) return;
        if (error instanceof Refusal && error.status === 401) return this.#end();
        if (!(error instanceof NoAnswer) && !(error instanceof Refusal)) console.error(error);
        failures += 1;
        const retryAfter = error instanceof Refusal ? error.retryAfter : 0;
        const isFull = /** @type {any} */ (error).name === "QuotaExceededError";
        this.store.setStatus(error instanceof NoAnswer ? "offline" : isFull ? "full" : "busy");
        const wakers = retryAfter ? [] : /** @type {[EventTarget, string][]} */ ([[window, "online"], [this.store, "retry"]]);
        await pause(backoff(failures, retryAfter), signal, wakers);
      }
    }
  }

  #end() {
    this.stop();
    this.signedOut();
  }

  /**
   * Whose session it is, an invitation that waits, and which families there are.
   * @param {AbortSignal} signal
   */
  async #greet(signal) {
    /** @type {import("../types/api").UserAnswer} */
    const { user } = await get("/users/me", { signal });
    if (user.id !== this.store.account.id) return this.#end();
    this.store.account = accountOf(user);
    setAccount(this.store.account);
    try {
      await acceptPending(this.store);
    } catch (error) {
      if (!(error instanceof Refusal && error.passes)) throw error; // busy with invitations alone: the rest goes on
    }
    await this.renewFamilies(signal);
    this.store.setStatus("ok");
  }

  /** @param {AbortSignal} [signal] */
  async renewFamilies(signal) {
    const before = this.store.snapshot.families; // one that is made meanwhile may not be listed yet
    /** @type {import("../types/api").FamilyList} */
    const { families } = await get("/families", { signal });
    const listed = new Set(families.map((family) => family.id));
    for (const known of before) {
      if (!listed.has(known.id)) await leaveBehind(this.store, known.id);
    }
    await this.store.write(feedStores, async (table) => {
      for (const family of families) {
        table("families").put({ ...(await answer(table("families").get(family.id))), ...family });
      }
      table("meta").put(true, "familiesKnown");
    });
  }

  /**
   * One that the server was too busy for, or that comes while the app is open.
   * @param {AbortSignal} signal
   */
  #invitation(signal) {
    return this.#again(signal, async () => {
      await acceptPending(this.store);
      await pause(600_000, signal, [[this.store, "invite"]]);
      return false;
    });
  }

  /** @param {AbortSignal} signal */
  #reminders(signal) {
    return this.#again(signal, async () => {
      await readReminders(this.store, signal);
      await pause(600_000, signal);
      return false;
    });
  }

  /**
   * Whoever wants to be told here is told, by the key that the server has now. It can wait, and hinders nothing.
   * @param {AbortSignal} signal
   */
  async #push(signal) {
    for (let failures = 0; !signal.aborted; ) {
      const key = server()?.push_key;
      let retryAfter = 0;
      try {
        const { keepSubscribed } = await import("./push.js").catch(noAnswer);
        await keepSubscribed(this.store);
        failures = 0;
      } catch (error) {
        if (signal.aborted || this.store.isClosed) return;
        if (error instanceof Refusal) retryAfter = error.retryAfter;
        else if (!(error instanceof NoAnswer)) console.warn(error);
        failures += 1;
      }
      if (server()?.push_key !== key) continue;
      const wakers = /** @type {[EventTarget, string][]} */ ([[heard, "heard"], [window, "online"], [this.store, "push"]]);
      await pause(failures ? backoff(failures, retryAfter) : 600_000, signal, wakers);
    }
  }

  /** @param {AbortSignal} signal */
  #up(signal) {
    return this.#again(signal, async () => {
      while (await sendNext(this.store, signal)) this.store.setStatus("ok");
      await pause(600_000, signal, [[this.store, "outbox"], [this.store, "reminders"]]);
      await pause(TOGETHER, signal);
      return false;
    });
  }

  /**
   * Follows each family, those that are joined later too.
   * @param {AbortSignal} signal
   */
  async #familiesOverTime(signal) {
    const loops = [];
    let checkedAt = Date.now();
    while (!signal.aborted) {
      for (const { id } of this.store.snapshot.families) {
        if (this.followed.has(id)) continue;
        this.followed.add(id);
        loops.push(this.#follow(id, this.followed.size <= LIVE, signal));
      }
      await pause(300_000, signal, [[this.store, "change"]]);
      if (signal.aborted || Date.now() - checkedAt < 290_000) continue;
      checkedAt = Date.now();
      await this.#again(signal, async () => {
        await this.renewFamilies(signal);
        return true;
      });
    }
    await Promise.all(loops);
  }

  /** @param {string} family @param {boolean} isLive @param {AbortSignal} signal */
  async #follow(family, isLive, signal) {
    let wait = 0;
    let unheld = 0;
    await this.#again(signal, async () => {
      const askedAt = Date.now();
      const count = await pull(this.store, family, { wait, signal });
      this.store.heard(now());
      this.store.setStatus("ok");
      if (!this.store.snapshot.families.some((one) => one.id === family)) {
        this.followed.delete(family);
        return true;
      }
      const isHeld = count > 0 || Date.now() - askedAt > 2_000;
      unheld = wait === 0 || isHeld ? 0 : unheld + 1;
      wait = isLive ? WAIT : 0;
      // At once and empty: a restart, once; twice in a row it is a server that does not hold questions.
      if (!isLive) await pause(60_000, signal);
      else if (unheld) await pause(unheld > 1 ? UNHELD : 1_000, signal, [[this.store, "pull"]]);
      return false;
    });
  }
}
