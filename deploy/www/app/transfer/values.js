// What the files of several apps have alike: units, and remarks made of several cells.

import { quantity, Unreadable } from "./cells.js";
import { boundsOf } from "./kinds.js";
import { say } from "../words.js";

export const OUNCE = 29.5735295625;
export const VOLUMES = { ml: 1, oz: OUNCE, "fl oz": OUNCE, "fl. oz": OUNCE };
export const WEIGHTS = { g: 1, kg: 1000, lb: 453.59237, lbs: 453.59237 };
export const LENGTHS = { cm: 1, mm: 0.1, in: 2.54 };
export const DEGREES = { "°c": 1, c: 1, "°f": 1, f: 1 };
export const COLORS = ["yellow", "brown", "green", "black", "red", "white"];

/**
 * A remark of an entry. It stays in the words of the file, whoever reads it: the same file makes the same entries.
 * @param {(string | number | null | undefined | false)[]} parts
 */
export const notesWith = (...parts) => parts.filter(Boolean).join("\n") || null;

/**
 * A word with what it is about, for a remark.
 * @param {string} name @param {string} text
 */
export const named = (name, text) => text && `${name}: ${text}`;

/**
 * A diaper's color, and what to remark of one that has no name here.
 * @param {string} text @returns {[color: string | null, remark: string | null]}
 */
export function colorOf(text) {
  const color = text.toLowerCase();
  if (color === "") return [null, null];
  return COLORS.includes(color) ? [color, null] : ["other", color === "other" ? null : `Color: ${color}`];
}

/**
 * Degrees of either scale: over 45 they are Fahrenheit.
 * @param {string} text @param {"," | "." | null | undefined} mark @returns {number | null} °C
 */
export function degrees(text, mark) {
  const value = quantity(text, "temperature", DEGREES, "c", { least: 30, most: 113, mark });
  return value !== null && value > 45 ? (value - 32) * 5 / 9 : value;
}

const EACH_WEIGHT = {
  ...WEIGHTS, oz: 28.349523125, ounces: 28.349523125, ounce: 28.349523125, pounds: 453.59237, pound: 453.59237,
};
const EACH_LENGTH = { ...LENGTHS, inches: 2.54, inch: 2.54, '"': 2.54, m: 100 };

/**
 * Weights and lengths that say their unit, also in two parts: 14 lb 11 oz.
 * @param {string} text @param {"weight_g" | "length_cm" | "head_cm"} field @param {"," | "." | null | undefined} mark
 * @returns {number | null}
 */
export function measure(text, field, mark) {
  const units = field === "weight_g" ? EACH_WEIGHT : EACH_LENGTH;
  const name = { weight_g: "weight", length_cm: "length", head_cm: "head" }[field];
  const [least, most] = boundsOf("measurement", field);
  const parts = text.replace(/''|”|″/g, '"').split(/(?<=[a-z"])[.,]?\s*(?=\d)/i);
  const bounds = { least: parts.length > 1 ? 0 : least, most, mark };
  const values = parts.map((part) => quantity(part, name, units, "", bounds));
  if (values.length === 1) return values[0];
  return values.reduce((/** @type {number} */ sum, value) => sum + (value ?? 0), 0);
}

/**
 * Milk that says its unit. No amount and one of nothing are alike.
 * @param {string} text @param {"feeding" | "pumping" | "discard"} kind @param {"," | "." | null | undefined} mark
 */
export const milk = (text, kind, mark) =>
  quantity(text, "amount", VOLUMES, "", { least: 0, most: boundsOf(kind, "amount_ml")[1], mark }) || null;

/**
 * How long something took: H:MM, HH:MM or H:MM:SS.
 * @param {string} text @param {string} column @returns {number | null} milliseconds
 */
export function clockLength(text, column) {
  if (!text) return null;
  const [, hours, minutes, seconds = "0"] = /^(\d{1,3}):([0-5]\d)(?::([0-5]\d))?$/.exec(text) ?? [];
  if (!hours) throw new Unreadable(say("import_problem.no_length", { column, text }));
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
}
