// What the app says, where it is more than a label.

import { isKnown, isOpen, kinds } from "../store/kinds.js";
import { GAP } from "../store/locale.js";
import { say, sayIf } from "../words.js";
import {
  ago, amount, clockText, dateOf, dateText, length, momentText, plainDate, temperature, timeText, weight,
} from "./format.js";

/** @typedef {import("../types/api").KindName} KindName */
/** @typedef {{field: string, message: string, reason?: string}} Detail what is wrong with a field; `reason` since 2026-12 */
/** @template {KindName} Kind @typedef {import("../store/types").Fields<Kind>} Fields */

/**
 * Names of one group of the catalog, each said when it is asked for.
 * @template {string} Name @param {"kind" | "role" | "role_meaning"} group @param {readonly Name[]} names @returns {Record<Name, string>}
 */
const spoken = (group, names) =>
  /** @type {any} */ (Object.defineProperties({}, Object.fromEntries(
    names.map((name) => [name, { enumerable: true, get: () => sayIf(group, name) }]),
  )));

/** @type {("parent" | "caregiver" | "viewer")[]} */
const everyRole = ["parent", "caregiver", "viewer"];
export const roles = spoken("role", everyRole);
export const roleMeanings = spoken("role_meaning", everyRole);
export const kindNames = spoken("kind", /** @type {KindName[]} */ (Object.keys(kinds)));

/**
 * What a button of Today logs.
 * @param {string} card
 */
export const cardName = (card) => (["bottle", "breast", "solid"].includes(card) ? word("type", card) : kindName(card));
/** @param {string} card */
export const cardIcon = (card) => (card === "bottle" ? "feeding" : card);

/**
 * A newer server may have kinds that this version doesn't know.
 * @param {string} kind
 */
export const kindName = (kind) => sayIf("kind", kind) ?? say("kind.newer");

/** @param {string} field */
const sameAs = (field) => (field === "last_side" ? "side" : field);
/**
 * A word that a field can be, as it stands alone; what a newer server has is shown as it is.
 * @param {string} field @param {string | null | undefined} name @returns {string}
 */
export const word = (field, name) => (name ? (sayIf(`word.${sameAs(field)}`, name) ?? name) : "");
/**
 * The same within a line: "Bottle, 120 ml, breast milk".
 * @param {"side" | "last_side" | "content" | "color" | "site"} field @param {string | null | undefined} name @returns {string}
 */
export const phrase = (field, name) => (name ? (sayIf(`phrase.${sameAs(field)}`, name) ?? name) : "");

/** @type {Record<string, string>} */
const fieldNames = {
  type: "kind", side: "side", amount_ml: "amount", content: "content", food: "food", started_at: "start", ended_at: "end",
  occurred_at: "time", notes: "note", color: "color", weight_g: "weight", length_cm: "length", head_cm: "head",
  celsius: "temperature", site: "place", name: "name", dose: "dose", child_id: "child",
  left_minutes: "minutes at the left", right_minutes: "minutes at the right", invitee_email: "email", last_side: "last side", for_doctor: "mark for the doctor",
  plan_id: "plan", every_hours: "hours between doses", times: "times", max_per_day: "most a day",
  starts_on: "first day", ends_on: "last day",
};
/** @param {string} field */
const fieldName = (field) => fieldNames[field] ?? field;

/** @param {number} count @param {string} one @param {string} many */
const counted = (count, one, many) => (count === 1 ? `1 ${one}` : `${count} ${many}`);

/**
 * The server's words, some of which are sentences already.
 * @param {string} message
 */
export const sentence = (message) => (message.endsWith(".") ? message : `${message}.`);

export const texts = {
  waiting: (/** @type {number} */ count) => `${count >= 1000 ? "Over 1000 entries" : counted(count, "entry", "entries")} waiting`,
  leftBehind: (/** @type {number} */ count) => (count ? ` ${texts.waiting(count)} to be sent: you can save what isn’t sent as a file.` : ""),
  /**
   * @param {import("../store/types").Kept} one @param {import("../store/types").Kept} other @param {string} me
   */
  overlap: (one, other, me) =>
    `${one.event.type === "night" ? "The night sleep" : "The nap"} from ${clockText(one.time)} overlaps with ` +
    `${texts.otherSleep(other, me)}.`,
  /** @param {import("../store/types").Kept} other @param {string} me */
  otherSleep: ({ event, time }, me) =>
    `the ${event.type === "night" ? "night sleep" : "nap"} from ${clockText(time)} by ` +
    `${event.created_by?.user_id === me ? "you" : (event.created_by?.name ?? "someone")}`,
  /**
   * What speaks against a dose.
   * @param {{name: string, every_hours?: number | null, max_per_day?: number | null}} plan
   * @param {{code: string, other: import("../model/plans.js").Dose, count: number}} near @param {string} me @param {number} now
   */
  near(plan, { code, other: { event, time }, count }, me, now) {
    const when = time <= now ? ago(time, now) : `at ${clockText(time)}`;
    const who = event.created_by?.user_id === me ? "You" : (event.created_by?.name ?? "Someone");
    return {
      title: `${who} gave ${event.name ?? plan.name} ${when}`,
      why: code === "TOO_SOON"
        ? `The plan says every ${plan.every_hours}${GAP}h.`
        : `That day it was given ${count === 1 ? "once" : `${count} times`}, and the plan says ` +
          `${plan.max_per_day === 1 ? "once" : `${plan.max_per_day} times`} at most.`,
    };
  },
  /**
   * @param {import("../store/types").Kept} one @param {{code: string, other: import("../store/types").Kept}} near
   * @param {string} me
   */
  nearDose({ event, time }, { code, other }, me) {
    const by = other.event.created_by?.user_id === me ? "you" : (other.event.created_by?.name ?? "someone");
    return `${event.name} was given at ${clockText(time)}, and by ${by} at ${clockText(other.time)}: ` +
      `${code === "TOO_SOON" ? "sooner than the plan says" : "more often than the plan says for a day"}.`;
  },
  toldNoMore:
    "This device tells you nothing any more: it was removed from your devices, or signed out, somewhere else. Under “Your account” " +
    "you can turn notifications on here again.",
  /** @param {string} problem why the server would not; empty where it could not be asked */
  toldSoon: (problem) =>
    problem ? `This device can’t tell you yet. ${problem}` :
      "This device can’t tell you yet: Baby Basics could not be reached. It tries again by itself as soon as there’s a connection.",
  reminderRefused: (/** @type {any} */ refusal) => `A reminder couldn’t be kept. ${texts.refusal(refusal)}`,
  notKept: (/** @type {number} */ count) =>
    `${counted(count, "entry is", "entries are")} on this device alone, and this browser may clear ` +
    `${count === 1 ? "it" : "them"} when space runs out.`,
  unsent: (/** @type {number} */ count) => (count ? ` ${texts.waiting(count)} to be sent: what waits is lost.` : ""),
  /** @param {import("../store/types").Notice} notice */
  notice({ kind, text, name, count = 0 }) {
    if (kind === "family-gone") {
      return `You’re no longer in ${name}, so it was taken off this device.` +
        (count ? ` ${counted(count, "entry was", "entries were")} still waiting to be sent.` : "");
    }
    if (kind === "child-gone") {
      return `${name ?? "A child"} was removed from the family. ${counted(count, "entry was", "entries were")} still waiting to be sent.`;
    }
    return text ?? "";
  },
  gone: (/** @type {number} */ count) =>
    count === 1
      ? "An entry was deleted by someone else in the meantime. It’s gone here too."
      : `${count} entries were deleted by someone else in the meantime. They’re gone here too.`,
  clockCorrected: "This device’s clock is ahead. We put the times of your entries right.",
  joined: (/** @type {string} */ family) => `You joined ${family}!`,
  /**
   * Decided by code and reason. Servers from before reasons name the start alone where another sleep is running.
   * @param {Detail} detail @param {string} code
   */
  reason({ field, message, reason }, code) {
    if (reason === "running" || (!reason && code === "CONFLICT" && /(^|\.)started_at$/.test(field))) {
      return "Another sleep was already running then. End that one first.";
    }
    const name = fieldName(field.replace(/^events\[\d+\]\.event\./, ""));
    return sentence(`${name.charAt(0).toUpperCase()}${name.slice(1)} ${message}`);
  },
  /** @param {{status: number, code: string, message: string}} refusal */
  refusal: (refusal) => (refusal.message ? sentence(refusal.message) : `The server refused it (${refusal.status}).`),
  /** @param {{status: number, message: string, details?: Detail[]}} refusal */
  inviteRefused(refusal) {
    if (refusal.status === 404) return "This invite link is no longer valid.";
    if (refusal.status === 400) return "That’s an invite you made yourself. Send the link to the person you’d like to join.";
    if (refusal.details?.some(({ reason }) => reason === "duplicate")) return "You’re already in this family.";
    return sentence(refusal.message);
  },
  inviteUnverified:
    "This invite link is no longer valid. Or it was sent to your email address, and we don’t know yet that the address is yours: " +
    "open the link in our mail to you, and we’ll try the invite again. Under “Your account” you can have that mail sent again.",
  /** @param {boolean} isInvited */
  byInvitation: (isInvited) =>
    "This server takes new people by invitation. " +
    (isInvited
      ? "Your invite may have run out, or be for another email address. Use the address that it was sent to, or ask for a new link."
      : "Ask someone in the family for an invite, then open its link."),
  linkSent: "If there is an account for that address, a mail is on its way. It works for an hour.",
  askWhoever: "Ask whoever runs this server.",
  mailOnItsWay: (/** @type {string} */ email) => `A mail is on its way to ${email}.`,
  mailedEnough: (/** @type {number} */ seconds) => `We’ve mailed that a few times already. Look among the spam, or try again in ${texts.time(seconds)}.`,
  time: (/** @type {number} */ seconds) => (seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : seconds > 1 ? `${seconds} seconds` : "a moment"),
  notFetched: "That has to be fetched once. Connect to the network, then try again.",
  noAnswer: "We can’t reach Baby Basics right now. Check your connection, then try again.",
  busy: "Baby Basics is busy. Please try again in a moment.",
  tooMany: (/** @type {number} */ seconds) => `That was a few too many tries. Please wait ${texts.time(seconds)}, then try again.`,
  storageFull: "This device’s storage is full, so the entry could not be kept. Free some space, then try again.",
  storageFailed: "This browser did not keep the entry. Please try again.",
};

/**
 * What to say when a request did not do what it was to.
 * @param {any} error
 * @returns {string}
 */
export function explain(error) {
  if (error?.status === undefined) return texts.noAnswer;
  if (error.status === 429) return texts.tooMany(error.retryAfter);
  if (error.status >= 500) return texts.busy;
  const details = error.details.map((/** @type {any} */ one) => texts.reason(one, error.code)).join(" ");
  return (error.status === 400 && details) || texts.refusal(error);
}

/**
 * The refusal's words for each field, where it has any.
 * @param {any} error
 */
export function byField(error) {
  /** @type {Record<string, string>} */
  const errors = {};
  for (const { field, message } of error?.details ?? []) errors[field] = sentence(`This ${message}`);
  return errors;
}

/** @param {any} error */
export const explainStorage = (error) => (error?.name === "QuotaExceededError" ? texts.storageFull : texts.storageFailed);

/**
 * A field's value for people.
 * @param {string} field
 * @param {any} value
 * @param {string | null} [beside] the time that is told with it: one of another day has its day
 */
export function valueText(field, value, beside) {
  if (value === null || value === undefined || value === "") return "nothing";
  if (field === "access_until") return dateText(value);
  if (field.endsWith("_at")) return beside && dateOf(beside) !== dateOf(value) ? momentText(value) : clockText(value);
  if (field === "amount_ml") return amount(value);
  if (field === "weight_g") return weight(value);
  if (field === "length_cm" || field === "head_cm") return length(value);
  if (field === "celsius") return temperature(value);
  if (field === "plan_id") return "a plan";
  if (field === "times") return value.map(timeText).join(", ");
  if (field === "starts_on" || field === "ends_on") return plainDate(value);
  if (field.endsWith("_minutes")) return `${value}${GAP}min`;
  if (typeof value === "boolean") return value ? "yes" : "no";
  return field === "notes" || field === "content" ? `“${word(field, value)}”` : word(field, String(value));
}

/**
 * Two people changed the same field.
 * @param {{type: string}} entry
 * @param {import("../store/types").AnyEvent} current
 * @param {import("../store/merge.js").Both} both
 */
export function conflict(entry, current, { field, mine, theirs, kept }) {
  const name = kindName(entry.type);
  const time = current.started_at ?? current.occurred_at;
  const other = current.updated_by?.name ?? "someone else";
  return (
    `${name}, ${time ? clockText(time) : current.name}: you and ${other} both changed the ${fieldName(field)}. ` +
    `Yours: ${valueText(field, mine, theirs)}. Theirs: ${valueText(field, theirs, mine)}. ` +
    (kept === "mine" ? "Yours was later and is kept." : "Theirs was later and is kept.")
  );
}

/** @param {(string | number | false | null | undefined)[]} parts */
const join = (...parts) => parts.filter(Boolean).join(", ");

/** @param {number | null | undefined} count @param {string} side */
const atSide = (count, side) => count != null && `${count}${GAP}min ${side}`;

/** @type {{[Kind in KindName]: (event: Fields<Kind>) => string | null | undefined}} */
const summaries = {
  feeding(event) {
    if (event.type === "bottle") return join("Bottle", event.amount_ml && amount(event.amount_ml), phrase("content", event.content));
    if (event.type === "solid") return join("Solids", event.food);
    const last = event.last_side && event.side === "both" && `${phrase("side", event.last_side)} last`;
    return join("Breast", phrase("side", event.side), atSide(event.left_minutes, "left"), atSide(event.right_minutes, "right"), last);
  },
  diaper: (event) => join(`${word("type", event.type)} diaper`, phrase("color", event.color)),
  sleep: (event) => (event.type === "night" ? "Night sleep" : "Nap"),
  note: (event) => event.content,
  pumping(event) {
    return join(isOpen("pumping", event) ? "Pumping" : "Pumped", event.amount_ml && amount(event.amount_ml), phrase("side", event.side));
  },
  measurement: (event) =>
    join(event.weight_g && weight(event.weight_g), event.length_cm && length(event.length_cm), event.head_cm && `head ${length(event.head_cm)}`),
  temperature: (event) => join(event.celsius != null && temperature(event.celsius), phrase("site", event.site)),
  medication: (event) => join(event.name, event.dose),
  activity: (event) => event.name,
  discard: (event) => join("Thrown away", event.amount_ml && amount(event.amount_ml)),
};

/**
 * One line about an event: "Bottle, 120 ml".
 * @param {string} kind
 * @param {any} event
 * @returns {string}
 */
export function summary(kind, event) {
  if (kind === "plan") return join(event.name, event.dose, planHow(event));
  return isKnown(kind) ? summaries[/** @type {"note"} */ (kind)](event) ?? "" : kindName(kind);
}

/** @param {string[]} all "8:00 AM, 2:00 PM and 8:00 PM" */
export const listed = (all) =>
  (all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} and ${all[all.length - 1]}`);

/**
 * How often a medicine is to be given: "every 6 h, at most 4 times a day".
 * @param {{every_hours?: number | null, times?: string[] | null, max_per_day?: number | null}} plan
 */
export function planHow({ every_hours, times, max_per_day }) {
  const often = every_hours ? `every ${every_hours}${GAP}h` : times ? `at ${listed(times.map(timeText))}` : "when needed";
  return join(often, max_per_day && `at most ${max_per_day === 1 ? "once" : `${max_per_day} times`} a day`);
}
