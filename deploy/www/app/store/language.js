// Which language the words are in.

import { account, device } from "./account.js";

/** Those that there are words of, the first for whoever has none of them. */
export const languages = ["en", "de", "es", "fr", "it", "pt-BR", "nl", "pl", "ar", "he"];

/** Written from the right. */
const RIGHT = ["ar", "he"];

/** @param {string} tag */
function canonical(tag) {
  try {
    return String(new Intl.Locale(tag));
  } catch {
    return "";
  }
}

/**
 * RFC 4647, 3.4: the first that is there, each wanted one shortened from its end until it is. One without a region finds
 * the language as it is spoken in one, "pt" Brazil's Portuguese.
 * @param {readonly (string | null | undefined)[]} wanted the dearest first @param {string[]} [there]
 */
export function lookUp(wanted, there = languages) {
  for (const one of wanted) {
    const parts = canonical(one ?? "").split("-");
    for (; parts.length; parts.pop()) {
      if (parts[parts.length - 1].length === 1) continue; // what only introduces the next part
      const range = parts.join("-").toLowerCase();
      const found = there.find((tag) => tag.toLowerCase() === range) ?? there.find((tag) => tag.toLowerCase().startsWith(`${range}-`));
      if (found) return found;
    }
  }
  return there[0];
}

/** What this device was told, else the account, else what the browser's owner reads. */
export const wantedLanguage = () =>
  lookUp([device().language, account()?.language, ...(globalThis.navigator?.languages ?? [])]);

let current = languages[0];
/** The one that is spoken. */
export const language = () => current;

/** @param {string} tag */
export const isFromRight = (tag) => RIGHT.includes(tag.split("-")[0]);

/** @param {string} tag */
export function setLanguage(tag) {
  current = tag;
  const page = globalThis.document?.documentElement;
  if (page) Object.assign(page, { lang: tag, dir: isFromRight(tag) ? "rtl" : "ltr" });
}
