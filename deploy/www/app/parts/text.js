// What the app says, where it is more than a label.

import { isKnown, isOpen, kinds } from "../store/kinds.js";
import { listed, say, sayIf } from "../words.js";
import {
  ago, amount, clockText, dateOf, dateText, length, momentText, plainDate, temperature, timeText, weight,
} from "./format.js";
import { byInvitation, reasonText, refusalText, sentences, tooMany, waitText } from "./problems.js";

export { byField, explain, explainStorage, sentences } from "./problems.js";
export { listed };

/** @typedef {import("../types/api").KindName} KindName */
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

/**
 * Of whom a message is: of this person, of somebody who has a name, or of nobody any more.
 * @param {import("../types/api").Author | null | undefined} author @param {string} me
 */
const whose = (author, me) => (author?.user_id === me ? "you" : author?.name ? "named" : "someone");

/** @param {import("../store/types").Values} sleep */
const sleepOf = ({ type }) => (type === "night" ? "night" : "nap");

/** The store counts what waits up to a thousand. */
const MANY = 1000;

/** @typedef {"waiting.entries" | "waiting.to_save" | "waiting.lost" | "waiting.by_themselves" | "waiting.signing_out"} Waiting */
/** @param {Waiting} id @param {number} count */
const waiting = (id, count) => (count >= MANY ? say(`${id}_over`) : say(id, { count }));

export const texts = {
  waiting: (/** @type {number} */ count) => waiting("waiting.entries", count),
  waitingToGo: (/** @type {number} */ count) => waiting("waiting.by_themselves", count),
  signingOut: (/** @type {number} */ count) => waiting("waiting.signing_out", count),
  leftBehind: (/** @type {number} */ count) => (count ? waiting("waiting.to_save", count) : ""),
  unsent: (/** @type {number} */ count) => (count ? waiting("waiting.lost", count) : ""),
  /**
   * @param {import("../store/types").Kept} one @param {import("../store/types").Kept} other @param {string} me
   */
  overlap: (one, other, me) =>
    say(`overlap.${sleepOf(one.event)}`, { time: clockText(one.time), other: texts.otherSleep(other, me) }),
  /**
   * As it stands after "overlaps with".
   * @param {import("../store/types").Kept} other @param {string} me
   */
  otherSleep: ({ event, time }, me) =>
    say(`overlap.with_${sleepOf(event)}_${whose(event.created_by, me)}`, { time: clockText(time), name: event.created_by?.name }),
  /**
   * What speaks against a dose.
   * @param {{name: string, every_hours?: number | null, max_per_day?: number | null}} plan
   * @param {{code: string, other: import("../model/plans.js").Dose, count: number}} near @param {string} me @param {number} now
   */
  near(plan, { code, other: { event, time }, count }, me, now) {
    const when = time <= now ? ago(time, now) : say("near.at_time", { time: clockText(time) });
    return {
      title: say(`near.gave_${whose(event.created_by, me)}`, { name: event.created_by?.name, medicine: event.name ?? plan.name, when }),
      why: code === "TOO_SOON"
        ? say("near.every_hours", { hours: plan.every_hours })
        : say("near.too_often", { given: say("near.times", { count }), most: say("near.times", { count: plan.max_per_day }) }),
    };
  },
  /**
   * @param {import("../store/types").Kept} one @param {{code: string, other: import("../store/types").Kept}} near
   * @param {string} me
   */
  nearDose({ event, time }, { code, other }, me) {
    const author = other.event.created_by;
    return say(`${code === "TOO_SOON" ? "near.twice_sooner" : "near.twice_more_often"}_${whose(author, me)}`, {
      medicine: event.name, time: clockText(time), name: author?.name, other: clockText(other.time),
    });
  },
  get toldNoMore() {
    return say("told.no_more");
  },
  /** @param {string} problem why the server would not; empty where it could not be asked */
  toldSoon: (problem) => (problem ? say("told.not_yet", { problem }) : say("told.not_reached")),
  reminderRefused: (/** @type {any} */ refusal) => say("reminder.not_kept", { problem: refusalText(refusal) }),
  notKept: (/** @type {number} */ count) => say("kept.here_alone", { count }),
  /** @param {import("../store/types").Notice} notice */
  notice({ kind, text, name, count = 0 }) {
    const waited = count > 0 && say("notice.still_waiting", { count });
    if (kind === "family-gone") return sentences(say("notice.family_gone", { family: name }), waited);
    if (kind === "child-gone") {
      return sentences(name ? say("notice.child_gone", { child: name }) : say("notice.a_child_gone"), waited);
    }
    return text ?? "";
  },
  gone: (/** @type {number} */ count) => say("notice.deleted_by_others", { count }),
  get clockCorrected() {
    return say("notice.clock_corrected");
  },
  joined: (/** @type {string} */ family) => say("notice.joined", { family }),
  /** @param {{status: number, code: string, message: string, details?: import("./problems.js").Detail[]}} refusal */
  inviteRefused(refusal) {
    if (refusal.status === 404) return say("invite.no_longer_valid");
    if (refusal.status === 400) return say("invite.your_own");
    if (refusal.details?.some(({ reason }) => reason === "duplicate")) return say("invite.already_in_family");
    return refusalText(refusal);
  },
  get inviteUnverified() {
    return say("invite.unverified");
  },
  byInvitation,
  reason: reasonText,
  refusal: refusalText,
  time: waitText,
  tooMany,
  mailOnItsWay: (/** @type {string} */ email) => say("common.mail_on_its_way", { email }),
  mailedEnough: (/** @type {number} */ seconds) => say("common.mailed_enough", { time: waitText(seconds) }),
  get notFetched() {
    return say("problem.not_fetched");
  },
};

/**
 * A field's value for people.
 * @param {string} field
 * @param {any} value
 * @param {string | null} [beside] the time that is told with it: one of another day has its day
 */
export function valueText(field, value, beside) {
  if (value === null || value === undefined || value === "") return say("value.nothing");
  if (field === "access_until") return dateText(value);
  if (field.endsWith("_at")) return beside && dateOf(beside) !== dateOf(value) ? momentText(value) : clockText(value);
  if (field === "amount_ml") return amount(value);
  if (field === "weight_g") return weight(value);
  if (field === "length_cm" || field === "head_cm") return length(value);
  if (field === "celsius") return temperature(value);
  if (field === "plan_id") return say("value.a_plan");
  if (field === "times") return value.map(timeText).join(say("common.separator"));
  if (field === "starts_on" || field === "ends_on") return plainDate(value);
  if (field.endsWith("_minutes")) return say("length.minutes", { minutes: value });
  if (typeof value === "boolean") return value ? say("value.yes") : say("value.no");
  const said = word(field, String(value));
  return field === "notes" || field === "content" ? say("value.quoted", { text: said }) : said;
}

/**
 * Two people changed the same field.
 * @param {{type: string}} entry
 * @param {import("../store/types").AnyEvent} current
 * @param {import("../store/merge.js").Both} both
 */
export function conflict(entry, current, { field, mine, theirs, kept }) {
  const time = current.started_at ?? current.occurred_at;
  const name = current.updated_by?.name;
  const both = sayIf("conflict", field) ?? say("conflict.other_field", { field });
  return sentences(
    say(name ? "conflict.by_named" : "conflict.by_someone", {
      kind: kindName(entry.type), which: time ? clockText(time) : current.name, name, field: both,
    }),
    say("conflict.values", { mine: valueText(field, mine, theirs), theirs: valueText(field, theirs, mine) }),
    say(kept === "mine" ? "conflict.mine_kept" : "conflict.theirs_kept"),
  );
}

/** @param {(string | number | false | null | undefined)[]} parts what is told of one thing */
export const join = (...parts) => parts.filter(Boolean).join(say("common.separator"));

/** @type {{[Kind in KindName]: (event: Fields<Kind>) => string | null | undefined}} */
const summaries = {
  feeding(event) {
    const type = word("type", event.type);
    if (event.type === "bottle") return join(type, event.amount_ml && amount(event.amount_ml), phrase("content", event.content));
    if (event.type === "solid") return join(type, event.food);
    const { left_minutes: left, right_minutes: right } = event;
    const last = event.side === "both" && sayIf("summary.last", event.last_side);
    return join(
      say("word.type.breast"), phrase("side", event.side), left != null && say("summary.minutes_left", { minutes: left }),
      right != null && say("summary.minutes_right", { minutes: right }), last,
    );
  },
  diaper: (event) => join(sayIf("summary.diaper", event.type) ?? kindName("diaper"), phrase("color", event.color)),
  sleep: (event) => say(`summary.${sleepOf(event)}`),
  note: (event) => event.content,
  pumping(event) {
    const verb = say(isOpen("pumping", event) ? "summary.pumping" : "summary.pumped");
    return join(verb, event.amount_ml && amount(event.amount_ml), phrase("side", event.side));
  },
  measurement: (event) => join(
    event.weight_g && weight(event.weight_g), event.length_cm && length(event.length_cm),
    event.head_cm && say("summary.head", { length: length(event.head_cm) }),
  ),
  temperature: (event) => join(event.celsius != null && temperature(event.celsius), phrase("site", event.site)),
  medication: (event) => join(event.name, event.dose),
  activity: (event) => event.name,
  discard: (event) => join(say("summary.thrown_away"), event.amount_ml && amount(event.amount_ml)),
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

/**
 * How often a medicine is to be given: "every 6 h, at most 4 times a day".
 * @param {{every_hours?: number | null, times?: string[] | null, max_per_day?: number | null}} plan
 */
export function planHow({ every_hours, times, max_per_day }) {
  const often = every_hours ? say("plan_how.every_hours", { hours: every_hours })
    : times ? say("plan_how.at_times", { times: listed(times.map(timeText)) }) : say("plan_how.when_needed");
  return join(often, max_per_day && say("plan_how.at_most", { count: max_per_day }));
}
