// Whether the browser may clear the store when the device runs out of space: what waits to be sent is nowhere else.

import { remember, remembered } from "./account.js";

const ASKED = "keep-asked";

/** An installed app is asked anew: browsers give it what they refuse a page. */
const place = () => (globalThis.matchMedia?.("(display-mode: standalone)").matches ? "installed" : "page");

/** @returns {Promise<boolean | null>} null where the browser can't say */
export async function isKept() {
  return (await globalThis.navigator?.storage?.persisted?.()) ?? null;
}

/** @returns {Promise<boolean | null>} */
export async function askToKeep() {
  remember(ASKED, place());
  return (await globalThis.navigator?.storage?.persist?.()) ?? null;
}

/** Asks once, when there is something to keep; some browsers ask the person then. Nobody waits for the answer. */
export function keepFromNowOn() {
  if (remembered(ASKED) !== place()) askToKeep().catch(() => {});
}
