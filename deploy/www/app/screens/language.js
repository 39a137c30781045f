// Which language this device speaks. Mails and the server's pages follow.

import { html } from "../vendor/preact.js";
import { fetchWords, say } from "../words.js";
import { setDevice } from "../store/account.js";
import { language, languages } from "../store/language.js";
import { keepAccount } from "../sync/account.js";
import { patch } from "../sync/api.js";
import { explain, texts } from "../parts/text.js";
import { useStore, useWork } from "../parts/hooks.js";
import { Problem, Select } from "../parts/ui.js";

const YEAR = 365 * 86_400;

/**
 * By the name that its speakers have for it.
 * @param {string} tag
 */
const nameOf = (tag) => new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;

export function Language() {
  const store = useStore();
  const [, problem, run] = useWork((error) => (error.status === undefined ? texts.notFetched : explain(error)));
  if (languages.length < 2) return null;
  const choose = (/** @type {string} */ tag) =>
    run(async () => {
      await fetchWords(tag); // without them nothing changes
      // A server from before languages has none in an account.
      if (store.account.language) await keepAccount(store, (await patch("/users/me", { language: tag })).body.user);
      setDevice({ language: tag });
      document.cookie = `language=${tag}; path=/; max-age=${YEAR}; samesite=lax; secure`; // for pages that know no account
      location.reload();
    });
  return html`
    <${Select} label=${say("account.language")} value=${language()} options=${languages.map((tag) => [tag, nameOf(tag)])} onChange=${choose} />
    <${Problem} text=${problem} />
  `;
}
