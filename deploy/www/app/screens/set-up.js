// One screen from a new account to the first day: the family and the baby.

import { html, useState } from "../vendor/preact.js";
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
  const [family, setFamily] = useState(`${first}’s Family`);
  const [baby, setBaby] = useState("");
  const [born, setBorn] = useState("");
  const [isBusy, problem, run] = useWork(explain);
  const [missing, setMissing] = useState(/** @type {any} */ ({}));
  useInvalid(missing);
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const gaps = { family: !family.trim() && "Your family needs a name.", baby: !baby.trim() && "What is your baby called?", born: !born && "When was your baby born, or is due?" };
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
      <p class="brand"><img src="/assets/moon.svg" alt="" width="44" height="44" />Baby Basics</p>
      <${Head} title=${`Welcome, ${first}!`} />
      <${Notices} />
      <form onSubmit=${submit} novalidate>
        <${Field} label="Family" name="family" value=${family} error=${missing.family} maxlength="100" autocomplete="off"
          onInput=${(/** @type {any} */ event) => setFamily(event.target.value)} />
        <${Field} label="Baby’s name" name="baby" value=${baby} error=${missing.baby} maxlength="100" autocomplete="off"
          onInput=${(/** @type {any} */ event) => setBaby(event.target.value)} />
        <${Field} label="Date of birth" hint="Or the due date" type="date" name="born" value=${born} error=${missing.born} min="1900-01-01" max=${yearAhead}
          onInput=${(/** @type {any} */ event) => setBorn(event.target.value)} />
        <${Problem} text=${problem} />
        <div class="actions"><button class="button primary" aria-disabled=${isBusy ? "true" : undefined}>Get Started</button></div>
      </form>
      <p class="small soft"><a href="#/account">Account and sign-out</a></p>
    </main>
  `;
}
