// Plans of medicine: when the next dose is due, and whether one comes too soon. The server answers the same.

import { nameOf } from "./doses.js";
import { addDays, beginOf, dateOf, momentOf } from "./days.js";

/**
 * @typedef {Omit<import("../types/api").Plan, "child_id" | "dose" | "notes" | "revision" | "updated_at">} Plan
 * @typedef {{id: string, time: number, event: Record<string, any>}} Dose
 * @typedef {{timezone: string, dayStart: string}} Person
 */

const HOUR = 3_600_000;
const GRACE = 15 * 60_000;

/**
 * Whether a dose is one of a plan: it names the plan, or names none and has the medicine's name.
 * @param {Plan} plan @param {Record<string, any>} event
 */
export const isOf = (plan, event) =>
  event.plan_id ? event.plan_id === plan.id : nameOf(event.name) === nameOf(plan.name);

/**
 * Of several plans the one that a dose without a plan is of.
 * @template {Plan} One
 * @param {One[]} plans @param {Record<string, any>} event @returns {One | undefined}
 */
export const planOf = (plans, event) => plans.find((plan) => isOf(plan, event));

/**
 * Whether a plan holds on a date.
 * @param {Plan} plan @param {string} date
 */
export const holds = ({ starts_on, ends_on }, date) => starts_on <= date && (ends_on ?? date) >= date;

/**
 * How a plan stands for a person, as the server's dashboard has it.
 * @template {Dose} Given
 * @param {Plan} plan @param {Given[]} given of any medicine, newest first @param {number} now @param {Person} person
 * @returns {{last: Given | null, next_at: number | null, given_today: number}}
 */
export function standing(plan, given, now, person) {
  const date = dateOf(now, person);
  const [start, end] = [beginOf(date, person), beginOf(addDays(date, 1), person)];
  const doses = given.filter(({ event, time }) => time < end && event.plan_id === plan.id);
  const given_today = doses.filter(({ time }) => time >= start).length;
  const last = doses[0] ?? null;
  const isFull = plan.max_per_day != null && given_today >= plan.max_per_day;
  const earliest = Math.max(Date.parse(plan.created_at), isFull ? end : 0);
  const next_at = plan.every_hours
    ? nextByHours(plan, plan.every_hours, last, earliest, person)
    : nextSlot(plan, last, given_today, earliest, date, person);
  return { last, next_at, given_today };
}

/**
 * @param {Plan} plan @param {number} hours @param {Dose | null} last @param {number} earliest @param {Person} person
 */
function nextByHours(plan, hours, last, earliest, person) {
  const due = Math.max(last ? last.time + hours * HOUR : 0, earliest, beginOf(plan.starts_on, person));
  return plan.ends_on && due >= beginOf(addDays(plan.ends_on, 1), person) ? null : due;
}

/**
 * When doses are due: of a date, of the two after it, as the next one's may be given already, and of the one before, which
 * says how near its first is to that day's last.
 * @param {Plan} plan @param {string} date @param {Person} person
 */
function slotsOf({ times, starts_on, ends_on }, date, { timezone, dayStart }) {
  return [-1, 0, 1, 2].map((days) => addDays(date, days))
    .filter((day) => day >= starts_on && day <= (ends_on ?? day))
    .flatMap((day) => (times ?? []).map((time) =>
      momentOf(Date.parse(`${addDays(day, time < dayStart ? 1 : 0)}T${time}:00Z`), timezone)))
    .sort((one, other) => one - other);
}

/**
 * The first slot that no dose is for. One is taken by as many doses as the day has, or by one that came shortly before
 * it, or later.
 * @param {Plan} plan @param {Dose | null} last @param {number} given @param {number} earliest @param {string} date
 * @param {Person} person
 */
function nextSlot(plan, last, given, earliest, date, person) {
  const first = date > plan.starts_on ? date : plan.starts_on;
  const all = slotsOf(plan, first, person);
  const slots = all.filter((slot) => slot >= beginOf(first, person));
  const before = all.length - slots.length;
  const today = slots.filter((slot) => slot < beginOf(addDays(date, 1), person)).length;
  const isTaken = (/** @type {number} */ slot, /** @type {number} */ place) =>
    last !== null && slot - last.time <= Math.min(2 * HOUR, (slot - (all[before + place - 1] ?? -Infinity)) / 2);
  const free = slots.findIndex((slot, place) => !isTaken(slot, place));
  const taken = Math.max(Math.min(given, today), free === -1 ? slots.length : free);
  return slots.slice(taken).find((slot) => slot >= earliest) ?? null;
}

/**
 * Whether a dose would be too near to another, or one too many of its day, as the server warns of it.
 * @template {Dose} Given
 * @param {Plan} plan @param {Given[]} given of any medicine
 * @param {{id?: string, time: number}} dose @param {Person} person
 * @returns {{code: "TOO_SOON" | "TOO_MANY", other: Given, count: number} | null} the dose that it is nearest to, and how
 *   many that day has without it
 */
export function tooNear(plan, given, dose, person) {
  const others = given
    .filter(({ id, event }) => id !== dose.id && (isOf(plan, event) || nameOf(event.name) === nameOf(plan.name)))
    .sort((one, other) => Math.abs(one.time - dose.time) - Math.abs(other.time - dose.time));
  const date = dateOf(dose.time, person);
  const sameDay = others.filter(({ time }) => dateOf(time, person) === date);
  const [nearest] = others;
  if (nearest && plan.every_hours && Math.abs(nearest.time - dose.time) < plan.every_hours * HOUR - GRACE) {
    return { code: "TOO_SOON", other: nearest, count: sameDay.length };
  }
  if (plan.max_per_day && sameDay.length >= plan.max_per_day) {
    return { code: "TOO_MANY", other: sameDay[0], count: sameDay.length };
  }
  return null;
}

/** @param {Dose} one when somebody last touched it */
const touched = ({ event }) => Date.parse(event.updated_at ?? event.created_at);

/**
 * Doses that a person gave too near to others since a moment, the latest first: of two, the later touched is theirs.
 * @template {Dose} Given
 * @param {Plan[]} plans @param {Given[]} given @param {string} me @param {number} since @param {Person} person
 * @returns {{one: Given, other: Given, code: string}[]}
 */
export function tooNearBy(plans, given, me, since, person) {
  const isMine = (/** @type {Dose} */ { event }) => (event.updated_by ?? event.created_by)?.user_id === me;
  return given
    .filter((one) => isMine(one) && touched(one) >= since)
    .flatMap((one) => {
      const plan = planOf(plans, one.event);
      const near = plan && tooNear(plan, given, one, person);
      return near ? { one, other: near.other, code: near.code } : [];
    })
    .filter(({ one, other }) => touched(one) > touched(other) || (touched(one) === touched(other) && one.id > other.id))
    .sort((a, b) => touched(b.one) - touched(a.one));
}
