// What the files most likely mean, for a person to look at: whose rows they are, and in which units.

import { orderOf, quantity } from "./cells.js";
import { readings } from "../model/numbers.js";
import { cellsOf } from "./recognise.js";

/** @typedef {import("./recognise.js").Source} Source */
/** @typedef {import("./recognise.js").TableSource} TableSource */
/** @typedef {import("./recognise.js").ChildInFiles} ChildInFiles */

/** Nobody has said yet whose the rows are. */
export const UNDECIDED = "?";

/** @param {string} name */
const plain = (name) => name.normalize("NFC").trim().toLowerCase().replace(/\s+/g, " ");
/** @param {string} name */
const firstOf = (name) => plain(name).split(" ")[0];

/**
 * Which of the family's children each most likely is: the one with its id, its name, the beginning of its name or its
 * first name; never two to one, and where it isn't clear nobody until a person says. A file's only one that no name
 * tells is the one that is looked at.
 * @param {ChildInFiles[]} inFiles @param {{id: string, name: string}[]} children @param {{id: string}} active
 * @returns {Record<string, string>}
 */
export function guessChildren(inFiles, children, active) {
  /** @type {Record<string, string>} */
  const guessed = {};
  const left = () => inFiles.filter(({ key }) => !(key in guessed));
  const match = (/** @type {(one: ChildInFiles, ours: {id: string, name: string}) => boolean} */ fits) => {
    const free = children.filter(({ id }) => !Object.values(guessed).includes(id));
    const pairs = free.flatMap((ours) =>
      left().filter((one) => fits(one, ours)).map(({ key }) => ({ key, id: ours.id })));
    for (const { key, id } of pairs) {
      if (pairs.every((other) => (other.key === key) === (other.id === id))) guessed[key] = id;
    }
  };
  match((one, ours) => one.id === ours.id);
  match((one, ours) => plain(one.label) === plain(ours.name));
  match((one, ours) => `${plain(one.label)} `.startsWith(`${plain(ours.name)} `));
  match((one, ours) => firstOf(one.label) !== "" && firstOf(one.label) === firstOf(ours.name));
  for (const { key } of left()) guessed[key] = inFiles.length === 1 ? active.id : UNDECIDED;
  return guessed;
}

/**
 * How the numbers are most likely meant.
 * @param {Source[]} sources @param {boolean} isUS
 */
export function guessUnits(sources, isUS) {
  const mark = guessMark(sources);
  const numbers = (/** @type {string[]} */ titles, /** @type {string[]} */ columns) =>
    textsOf(sources, titles, columns).flatMap((text) => valueOf(text, mark));
  const volumes = numbers(["Feedings", "Bottles", "Pumpings"], ["amount"]);
  const lengths = numbers(["Heights"], ["height", "value"]);
  const heads = numbers(["Head circumferences"], HEADS);
  const inches = heads.length ? median(heads) < 25 : lengths.length ? median(lengths) < 42 : isUS;
  return {
    mark, order: guessOrder(sources),
    volume: /** @type {"ml" | "oz"} */ (volumes.length ? median(volumes) < 15 ? "oz" : "ml" : isUS ? "oz" : "ml"),
    weight: /** @type {"kg" | "lb"} */ (inches ? "lb" : "kg"),
    length: /** @type {"cm" | "in"} */ (inches ? "in" : "cm"),
  };
}

const HEADS = ["head_circumference", "headcircumference", "value"];
const NUMBERS = ["amount", "weight", "height", "temperature", "start_condition", "end_condition", "start_location", ...HEADS];
const TIMES = ["start", "end", "time", "date"];

/**
 * The mark of the decimals, where numbers that can be read in one way alone agree on it.
 * @param {Source[]} sources @returns {"," | "." | null}
 */
function guessMark(sources) {
  const marks = new Set(textsOf(sources, null, NUMBERS).flatMap((text) => {
    const figure = text.replace(/[^\d.,]+$/, "");
    const clear = readings(figure).length === 1 ? /([.,])(?!.*[.,])/.exec(figure)?.[1] : null;
    return clear && !new RegExp(`[${clear}].*[${clear}]`).test(figure) ? [clear] : [];
  }));
  return marks.size === 1 ? /** @type {"," | "."} */ ([...marks][0]) : null;
}

/**
 * Whether days come before months, where dates that can be read in one way alone agree on it.
 * @param {Source[]} sources @returns {"dmy" | "mdy" | null}
 */
function guessOrder(sources) {
  const orders = new Set(textsOf(sources, null, TIMES).flatMap((text) => orderOf(text) ?? []));
  return orders.size === 1 ? [...orders][0] : null;
}

/**
 * The cells of some columns in tables of some kinds.
 * @param {Source[]} sources @param {string[] | null} titles @param {string[]} columns
 */
const textsOf = (sources, titles, columns) => sources.flatMap((source) => {
  if (source.is !== "table" || source.form.isOwn || (titles && !titles.includes(source.form.title))) return [];
  return source.rows.flatMap(({ cells }) => columns.map(cellsOf(source.header, cells)).filter(Boolean));
});

/** @param {string} text @param {"," | "." | null} mark @returns {number[]} nothing of what can't be read or says its unit */
function valueOf(text, mark) {
  try {
    return [quantity(text, "", { "": 1 }, "", { mark }) ?? 0].filter(Boolean);
  } catch {
    return [];
  }
}

/** @param {number[]} numbers */
const median = (numbers) => [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)];
