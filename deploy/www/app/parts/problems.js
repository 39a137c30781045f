// What to say when something did not do what it was to. Whoever is at the doors needs no more of parts/text.js.

import { language } from "../store/language.js";
import { say, sayIf } from "../words.js";

/** @typedef {{field: string, message: string, reason?: string}} Detail what is wrong with a field; `reason` since 2026-12 */

/**
 * What a field is called. One of a newer server, or of no kind, has its own name.
 * @param {string} field
 */
const fieldName = (field) => sayIf("field", field) ?? `${field.charAt(0).toUpperCase()}${field.slice(1)}`;

/**
 * The server's words, some of which are sentences already.
 * @param {string} message
 */
const sentence = (message) => (message.endsWith(".") ? message : `${message}.`);

/** @param {(string | false | null | undefined)[]} all one after the other, those that there are */
export const sentences = (...all) => all.filter(Boolean).join(" ");

/** What the server says to people is English. */
const isEnglish = () => language() === "en";

/**
 * Decided by code and reason. Servers from before reasons name the start alone where another sleep is running.
 * @param {Detail} detail @param {string} code
 */
export function reasonText({ field, message, reason }, code) {
  if (reason === "running" || (!reason && code === "CONFLICT" && /(^|\.)started_at$/.test(field))) {
    return say("reason.running");
  }
  const name = fieldName(field.replace(/^events\[\d+\]\.event\./, ""));
  const why = !isEnglish() && sayIf("reason", reason);
  return why ? say("refusal.field", { field: name, why }) : sentence(`${name} ${message}`);
}

/** @param {{status: number, code: string, message: string}} refusal */
export function refusalText({ status, code, message }) {
  const said = isEnglish() ? message && sentence(message) : sayIf("code", code?.toLowerCase());
  return said || say("refusal.status", { status });
}

/** @param {number} seconds */
export const waitText = (seconds) =>
  seconds > 90 ? say("length.whole_minutes", { count: Math.ceil(seconds / 60) })
    : seconds > 1 ? say("length.whole_seconds", { count: seconds }) : say("length.moment");

/** @param {number} seconds until it may be tried again */
export const tooMany = (seconds) => say("problem.too_many", { time: waitText(seconds) });

/**
 * What to say when a request did not do what it was to.
 * @param {any} error
 * @returns {string}
 */
export function explain(error) {
  if (error?.status === undefined) return say("problem.no_answer");
  if (error.status === 429) return tooMany(error.retryAfter);
  if (error.status >= 500) return say("problem.busy");
  const details = error.details.map((/** @type {any} */ one) => reasonText(one, error.code)).join(" ");
  return (error.status === 400 && details) || refusalText(error);
}

/**
 * The refusal's words for each field, where it has any.
 * @param {any} error
 */
export function byField(error) {
  /** @type {Record<string, string>} */
  const errors = {};
  for (const { field, message, reason } of error?.details ?? []) {
    errors[field] = (!isEnglish() && sayIf("reason", reason)) || sentence(`This ${message}`);
  }
  return errors;
}

/** @param {boolean} isInvited */
export const byInvitation = (isInvited) => say(isInvited ? "doors.by_invitation_invited" : "doors.by_invitation_uninvited");

/** @param {any} error */
export const explainStorage = (error) =>
  say(error?.name === "QuotaExceededError" ? "problem.storage_full" : "problem.storage_failed");
