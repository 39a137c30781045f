// What growth and the doctor's sheets ask of a child and keep on this device alone: nothing of it is ever sent.

const KEY = "baby-basics-growth";

/** @typedef {{sex?: import("./growth.js").Sex, due?: string, visit?: string}} Answers `visit`: the last one to the doctor */

/** @returns {Record<string, Answers>} */
function all() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return kept && typeof kept === "object" ? kept : {};
  } catch {
    return {};
  }
}

/** @param {string} child @returns {Answers} */
export function growthAnswers(child) {
  const { sex, due, visit } = all()[child] ?? {};
  const dateIn = (/** @type {unknown} */ text) => typeof text === "string" && /^\d{4}-\d\d-\d\d$/.test(text) ? text : undefined;
  return {
    sex: sex === "boy" || sex === "girl" ? sex : undefined,
    due: dateIn(due), visit: dateIn(visit),
  };
}

/** @param {string} child @param {Answers} answers */
export function keepGrowthAnswers(child, answers) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...all(), [child]: answers }));
  } catch {
    // A browser that keeps nothing asks again next time.
  }
}

/**
 * Signing out takes these answers off the device, and those about a child go with the child.
 * @param {string} [child]
 */
export function forgetGrowthAnswers(child) {
  try {
    const { [child ?? ""]: _, ...others } = all();
    if (child && Object.keys(others).length) localStorage.setItem(KEY, JSON.stringify(others));
    else localStorage.removeItem(KEY);
  } catch {
    // Then there is nothing to forget.
  }
}
