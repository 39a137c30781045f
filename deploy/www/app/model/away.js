// What others logged while somebody was away, added up by who it was.

/**
 * @typedef {{type: string, time: number, event: Record<string, any>}} One
 * @typedef {{what: string, count: number, ml: number, lasted: number}} Sum `what`: a kind, or a type of feed or sleep;
 *   `lasted`: milliseconds of what has ended
 * @typedef {{id: string, name: string, sums: Sum[], latest: number}} Person `latest`: when the last of it was logged
 */

/** In the order in which they are told. */
const order = ["breast", "bottle", "solid", "nap", "night", "sleep", "diaper", "medication", "pumping"];
/** @param {string} what */
const rank = (what) => (order.includes(what) ? order.indexOf(what) : order.length);

/** @param {One} one */
const whatOf = ({ type, event }) => ((type === "feeding" || type === "sleep") && event.type) || type;

/** @param {One} one */
const made = ({ event }) => Date.parse(event.created_at);

/**
 * @param {One[]} events of one child @param {string} me
 * @param {{since: number, until: number}} away when this person looked last, and when they looked again
 * @returns {Person[]} whoever logged most first
 */
export function whileAway(events, me, { since, until }) {
  /** @type {Map<string, {name: string, sums: Map<string, Sum>, count: number, latest: number}>} */
  const people = new Map();
  for (const one of events) {
    const { time, event } = one;
    const by = event.created_by?.user_id ?? "";
    if (by === me || !(made(one) > since && made(one) <= until)) continue;
    const person = people.get(by) ?? { name: event.created_by?.name ?? "", sums: new Map(), count: 0, latest: 0 };
    const what = whatOf(one);
    const sum = person.sums.get(what) ?? { what, count: 0, ml: 0, lasted: 0 };
    sum.count += 1;
    sum.ml += event.amount_ml ?? 0;
    sum.lasted += event.ended_at ? Date.parse(event.ended_at) - time : 0;
    person.sums.set(what, sum);
    people.set(by, { ...person, count: person.count + 1, latest: Math.max(person.latest, made(one)) });
  }
  return [...people]
    .sort(([, one], [, other]) => other.count - one.count)
    .map(([id, { name, sums, latest }]) =>
      ({ id, name, latest, sums: [...sums.values()].sort((a, b) => rank(a.what) - rank(b.what)) }));
}
