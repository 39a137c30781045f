// What the chosen files come to, beside what is here and what earlier imports made.

import { importsOf, undone } from "../store/imports.js";
import { now } from "../store/clock.js";
import { useEffect, useState } from "../vendor/preact.js";
import { eventsHere } from "./earlier.js";
import { FIRST_KINDS, kindsKnownTo } from "./kinds.js";
import { madeBy } from "./made.js";
import { prepare } from "./prepare.js";

/** @typedef {import("../store/store.js").Store} Store */
/** @typedef {import("../store/types").StoredFamily} StoredFamily */
/** @typedef {import("../store/types").StoredChild} StoredChild */
/** @typedef {import("./recognise.js").Source} Source */
/** @typedef {import("./prepare.js").Plan & {imports: import("../store/imports.js").Import[]}} Prepared */

/**
 * Made anew with each choice.
 * @param {Store} store @param {StoredFamily} family @param {StoredChild[]} children @param {Source[]} sources @param {any} choices
 */
export function usePlan(store, family, children, sources, choices) {
  const [prepared, setPrepared] = useState(/** @type {Prepared | null} */ (null));
  useEffect(() => {
    setPrepared(null);
    if (!choices) return undefined;
    let isCurrent = true;
    const find = async () => {
      const [kinds, here, imports, gone] = await Promise.all([
        serverKinds(), eventsHere(store, children), importsOf(store, family.id, now()), undone(store, family.id, now()),
      ]);
      const plan = await prepare(sources, {
        ...choices, kinds, here, family: family.id, ours: children.map(({ id }) => id), made: madeBy(imports), undone: gone,
        waiting: store.snapshot.waitingIds, now: now(),
      });
      if (isCurrent) setPrepared({ ...plan, imports });
    };
    find();
    return () => {
      isCurrent = false;
    };
  }, [store, sources, choices]);
  return prepared;
}

/** The kinds that this server has a place for. */
async function serverKinds() {
  try {
    return kindsKnownTo(await (await fetch("/api/openapi.json")).json());
  } catch {
    return FIRST_KINDS;
  }
}
