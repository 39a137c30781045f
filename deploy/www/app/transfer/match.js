// Which of the family's events a row is already: by its id, by the id that earlier versions gave it, or because it says
// the same.

import { canonical, idsOf } from "./ids.js";
import { contentOf } from "./rows.js";
import { isImported } from "../store/uuid.js";

/** @typedef {import("./rows.js").Row & {target: string}} Row */
/** @typedef {import("./prepare.js").Here} Here */
/** @typedef {{row: Row, id: string, have?: Here, isSame?: boolean, isElsewhere?: boolean}} Recognised */

/** Generations of ids: of those an import may have without this device knowing, and of all. */
const LIKELY = 2;
const MOST = 50;

/**
 * @param {Row[]} rows @param {import("./prepare.js").Choices} choices
 * @returns {Promise<Recognised[]>} `have` is what is here; `isSame` where it is to stay as it is
 */
export async function recognised(rows, choices) {
  const { here, family, ours, elsewhere, undone } = choices;
  const idsFor = (/** @type {(row: Row) => string} */ target, generation = 0) => idsOf(rows.map((row) =>
    ["baby-basics-import", 2, family, ...row.source, row.hasChild && !row.ownID ? null : target(row), ...generation ? [generation] : []]));
  const made = await idsFor(({ target }) => target);
  /** @type {Recognised[]} */
  const found = rows.map((row, place) => ({ row, id: row.ownID && row.ownChild === row.target ? row.ownID : made[place] }));
  const isNew = (/** @type {Recognised} */ { id }) => !here.has(id);

  // What was undone comes back with the next generation of ids; what is here may be so by what another device did.
  const hasStrange = () => {
    const known = new Set(found.map(({ id }) => id));
    return [...here.keys()].some((id) => isImported(id) && !known.has(id));
  };
  for (let generation = 1; generation <= MOST; generation += 1) {
    const isUndone = found.some((one) => isNew(one) && undone.has(one.id));
    if (!isUndone && (generation > LIKELY || !found.some(isNew) || !hasStrange())) break;
    const ids = await idsFor(({ target }) => target, generation);
    found.forEach((one, place) => {
      if (isNew(one) && (here.has(ids[place]) || undone.has(one.id))) one.id = ids[place];
    });
  }

  // A file without a child's column may have been imported for another child.
  const asked = () => found.some((one) => isNew(one) && !one.row.hasChild && !one.isElsewhere);
  for (const other of hasStrange() ? ours : []) {
    for (let generation = 0; generation <= LIKELY && asked(); generation += 1) {
      const ids = await idsFor(() => other, generation);
      found.forEach((one, place) => {
        if (!isNew(one) || one.row.hasChild || !here.has(ids[place])) return;
        if (elsewhere === "move") one.id = ids[place];
        else one.isElsewhere = !elsewhere;
      });
    }
  }
  for (const one of found) one.have = here.get(one.id);

  const known = new Set(found.map(({ id }) => id));
  const unknown = [...here].filter(([id]) => !known.has(id));
  // Earlier versions made ids from the events.
  if (unknown.some(([id]) => isImported(id))) {
    const former = await idsOf(rows.map(({ kind, target, event, ownID }) => ["baby-basics-import", kind, target, ownID ?? event]));
    found.forEach((one, place) => claim(one, former[place], here, known));
  }
  /** @type {Map<string, string[]>} */
  const alike = new Map();
  for (const [id, { type, event }] of unknown) {
    const text = canonical([type, event.child_id, contentOf(type, event)]);
    alike.set(text, [...alike.get(text) ?? [], id]);
  }
  for (const one of found) {
    const { kind, target, event } = one.row;
    const ids = one.have || !alike.size ? [] : alike.get(canonical([kind, target, contentOf(kind, event)])) ?? [];
    for (const id of ids) claim(one, id, here, known);
  }
  return found;
}

/**
 * Of one that isn't here by its id: the event is it, unless it is another's.
 * @param {Recognised} one @param {string} id @param {Map<string, Here>} here @param {Set<string>} known ids that are taken
 */
function claim(one, id, here, known) {
  const have = here.get(id);
  if (one.have || !have || known.has(id)) return;
  known.add(id);
  Object.assign(one, { id, have, isSame: true, isElsewhere: false });
}
