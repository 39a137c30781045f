// One screen from a new account to the first day: the family and the baby.

import { html, useState } from "../vendor/preact.js";
import { say } from "../words.js";
import { setUp } from "../sync/family.js";
import { explain } from "../parts/text.js";
import { dateOf } from "../parts/format.js";
import { now } from "../store/clock.js";
import { go, useStore, useWork } from "../parts/hooks.js";
import { Notices } from "./notices.js";
import { Button, Field, Head, Problem, useInvalid } from "../parts/ui.js";

/**
 * The name that people are called by.
 * @param {string} name
 */
const firstName = (name) => name.trim().split(/\s+/)[0] ?? name;

export function SetUp() {
  const store = useStore();
  const first = firstName(store.account.name);
  const [family, setFamily] = useState(() => say("set_up.family_of", { name: first }));
  const [baby, setBaby] = useState("");
  const [born, setBorn] = useState("");
  const [isBusy, problem, run] = useWork(explain);
  const [missing, setMissing] = useState(/** @type {any} */ ({}));
  useInvalid(missing);
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const gaps = { family: !family.trim() && say("set_up.family_name"), baby: !baby.trim() && say("set_up.baby_name"), born: !born && say("set_up.born_when") };
    setMissing(gaps);
    if (Object.values(gaps).some(Boolean)) return;
    run(async () => {
      await setUp(store, family.trim(), { name: baby.trim(), date_of_birth: born });
      go("today");
    });
  };
  const yearAhead = dateOf(now() + 365 * 86_400_000);
  return html`
    <main class="doors">
      <p class="brand"><img src="/assets/moon.svg" alt="" width="44" height="44" />${say("common.app")}</p>
      <${Head} title=${say("set_up.welcome", { name: first })} />
      <${Notices} />
      <form onSubmit=${submit} novalidate>
        <${Field} label=${say("set_up.family")} name="family" value=${family} error=${missing.family} maxlength="100" autocomplete="off"
          onInput=${(/** @type {any} */ event) => setFamily(event.target.value)} />
        <${Field} label=${say("set_up.baby")} name="baby" value=${baby} error=${missing.baby} maxlength="100" autocomplete="off"
          onInput=${(/** @type {any} */ event) => setBaby(event.target.value)} />
        <${Field} label=${say("common.date_of_birth")} hint=${say("common.or_due_date")} type="date" name="born" value=${born} error=${missing.born} min="1900-01-01" max=${yearAhead}
          onInput=${(/** @type {any} */ event) => setBorn(event.target.value)} />
        <${Problem} text=${problem} />
        <div class="actions"><button class="button primary" aria-disabled=${isBusy ? "true" : undefined}>${say("set_up.start")}</button></div>
      </form>
      <p class="small soft"><a href="#/account">${say("set_up.account")}</a></p>
    </main>
  `;
}
