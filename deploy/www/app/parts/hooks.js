import { createContext, useContext, useEffect, useLayoutEffect, useRef, useState } from "../vendor/preact.js";
import { heard, server } from "../store/server.js";

/** @typedef {import("../store/store.js").Store} Store */

export const StoreContext = createContext(/** @type {any} */ (null));

/**
 * The account's store; whoever asks is drawn again when it changes.
 * @returns {Store}
 */
export function useStore() {
  const store = useContext(StoreContext);
  const [, draw] = useState(0);
  useEffect(() => {
    const changed = () => draw((count) => count + 1);
    store.addEventListener("change", changed);
    return () => store.removeEventListener("change", changed);
  }, [store]);
  return store;
}

/** What the server can, as it said last: drawn again when it says otherwise. Null: not known yet. */
export function useServer() {
  const [facts, setFacts] = useState(server);
  useEffect(() => {
    const changed = () => setFacts(server());
    heard.addEventListener("heard", changed);
    changed(); // it may have said so since it was first read
    return () => heard.removeEventListener("heard", changed);
  }, []);
  return facts;
}

/**
 * What a question to the store says, asked again when the store changes; the last answer stays until the next is there.
 * A store that can't be read fails the screen, which says so.
 * @template T @param {() => Promise<T>} ask @param {any[]} inputs
 * @param {number} [later] ms to let pass after a change: for what may come after the rest of the screen
 * @returns {T | undefined}
 */
export function useQuery(ask, inputs, later = 0) {
  const store = useContext(StoreContext);
  const [answered, setAnswered] = useState(/** @type {T | undefined} */ (undefined));
  const [failure, setFailure] = useState(/** @type {unknown} */ (null));
  if (failure) throw failure;
  const latest = useRef(ask);
  latest.current = ask;
  useLayoutEffect(() => {
    let asked = 0;
    const renew = () => {
      const number = (asked += 1);
      latest.current().then(
        (value) => number === asked && setAnswered(/** @type {any} */ (value)),
        (error) => number === asked && !store.isClosed && setFailure(error),
      );
    };
    let timer = 0;
    const soon = () => {
      clearTimeout(timer);
      timer = setTimeout(renew, later);
    };
    const changed = later ? soon : renew;
    renew();
    store.addEventListener("data", changed);
    return () => {
      asked = -1;
      clearTimeout(timer);
      store.removeEventListener("data", changed);
    };
  }, [store, ...inputs]);
  return answered;
}

/**
 * Draws again every so often, and when the page is looked at again.
 * @param {number} milliseconds
 */
export function useTick(milliseconds) {
  const [tick, setTick] = useState(0);
  useEffect(() => {
    const next = () => document.visibilityState === "visible" && setTick((count) => count + 1);
    const timer = setInterval(next, milliseconds);
    document.addEventListener("visibilitychange", next);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", next);
    };
  }, [milliseconds]);
  return tick;
}

/**
 * The part of the address after #: the screen, and what it shows.
 * @returns {[string, string]}
 */
export function useRoute() {
  const read = () => location.hash.replace(/^#\/?/, "") || "today";
  const [route, setRoute] = useState(read);
  useEffect(() => {
    const changed = () => setRoute(read());
    addEventListener("hashchange", changed);
    changed(); // it may have changed since it was first read
    return () => removeEventListener("hashchange", changed);
  }, []);
  const [screen, ...rest] = route.split("/");
  return [screen, rest.join("/")];
}

/** @param {string} route */
export const go = (route) => {
  location.hash = `#/${route}`;
};

/**
 * Something that takes a while: whether it is under way, what went wrong, and how to start it.
 * @param {(error: any) => string} explain
 * @returns {[boolean, string, (work: () => Promise<any>) => Promise<void>]}
 */
export function useWork(explain) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const run = async (/** @type {() => Promise<any>} */ work) => {
    if (isBusy) return;
    setBusy(true);
    setProblem("");
    try {
      await work();
    } catch (error) {
      setProblem(explain(error));
    } finally {
      setBusy(false);
    }
  };
  return [isBusy, problem, run];
}

/**
 * What the server keeps for a person: shown at once as it was set, sent one after the other, and back as the server has
 * it where that was refused.
 * @template T
 * @param {() => Promise<T>} read @param {(change: Partial<T>, known: T) => Promise<T>} send gives what is kept
 * @param {(error: any) => string} explain
 * @returns {[T | null, string, (change: Partial<T>) => Promise<void>]} the value, what went wrong, and how to set it
 */
export function useSetting(read, send, explain) {
  const [value, setValue] = useState(/** @type {T | null} */ (null));
  const [problem, setProblem] = useState("");
  const known = useRef(/** @type {any} */ (null)); // as the server said last
  const wanted = useRef(/** @type {any} */ (null)); // what it has not been told
  const isSending = useRef(false);
  const take = (/** @type {T} */ answered) => {
    known.current = answered;
    setValue(answered);
  };
  useEffect(() => {
    read().then(take, (error) => setProblem(explain(error)));
  }, []);
  const set = async (/** @type {Partial<T>} */ change) => {
    wanted.current = { ...wanted.current, ...change };
    setValue((/** @type {any} */ shown) => ({ ...shown, ...change }));
    if (isSending.current) return;
    isSending.current = true;
    setProblem("");
    try {
      while (wanted.current) {
        const next = wanted.current;
        wanted.current = null;
        known.current = await send(next, known.current);
      }
    } catch (error) {
      wanted.current = null;
      setProblem(explain(error));
    } finally {
      isSending.current = false;
      setValue(known.current);
    }
  };
  return [value, problem, set];
}
