// What each form of a kind is given, and the words that a field can be.

import { kinds } from "../../store/kinds.js";
import { word } from "../../parts/text.js";

/**
 * `isClocked`: a clock is started. `lastSide`: of the last breast feed.
 * @template {import("../../types/api").KindName} Kind
 * @typedef {{value: import("../../store/types").Fields<Kind>, set: (patch: import("../../store/types").Fields<Kind>) => void,
 *   isClocked?: boolean, lastSide?: string}} Props
 */

/**
 * Each word that a field can be, and how it is said.
 * @param {import("../../types/api").KindName} kind @param {string} field @returns {[string, string][]}
 */
export const choices = (kind, field) => (kinds[kind].fields[field].words ?? []).map((name) => [name, word(field, name)]);
