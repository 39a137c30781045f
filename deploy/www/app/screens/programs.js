// Other programs that act for this person, each by a token of its own.

import { html, useEffect, useState } from "../vendor/preact.js";
import { say } from "../words.js";
import { endToken, tokens } from "../sync/programs.js";
import { explain } from "../parts/text.js";
import { ago, dateText } from "../parts/format.js";
import { useStore, useWork } from "../parts/hooks.js";
import { Icon } from "../parts/icons.js";
import { Secret } from "../parts/secret.js";
import { Button, Confirm, Head, Problem } from "../parts/ui.js";
import { NewProgram, scopeName } from "./new-program.js";

/** @typedef {import("../sync/programs.js").Token} Token */

export function Programs() {
  const { families } = useStore().snapshot;
  const [made, setMade] = useState(/** @type {import("../sync/programs.js").Issued<Token> | null} */ (null));
  const [known, setKnown] = useState(/** @type {Token[] | null} */ (null));
  const [ending, setEnding] = useState(/** @type {Token | null} */ (null));
  const [, problem, run] = useWork(explain);
  const read = () => run(async () => setKnown(await tokens()));
  useEffect(() => {
    if (!made) read();
  }, [made]);
  const ended = () => {
    setKnown((known ?? []).filter((one) => one !== ending));
    setEnding(null);
  };
  if (made) {
    return html`<${Secret} title=${say("programs.token_made")} back="account" secret=${made.secret} onDone=${() => setMade(null)}
      lost=${say("programs.if_lost")}>
      <div><dt>${say("programs.program")}</dt><dd><bdi>${made.name}</bdi></dd></div>
      <div><dt>${say("common.family")}</dt><dd><bdi>${made.family_name}</bdi></dd></div>
      <div><dt>${say("programs.it_may")}</dt><dd>${scopeName(made.scope)}</dd></div>
      ${made.expires_at && html`<div><dt>${say("programs.until_label")}</dt><dd>${dateText(made.expires_at)}</dd></div>`}
    <//>`;
  }
  return html`
    <${Head} title=${say("account.programs")} back="account" />
    <p class="soft">${say("programs.what_for")} <a href="/api/docs">${say("programs.what_they_ask")}</a></p>
    <${Problem} text=${problem} />
    ${problem && !known && html`<div class="actions"><${Button} onClick=${read}>${say("common.try_again")}<//></div>`}
    ${known && known.length > 0 && html`
      <ul class="card rows">
        ${known.map((one) => html`<li key=${one.id}><${Row} token=${one} onEnd=${() => setEnding(one)} /></li>`)}
      </ul>
    `}
    ${known && families.length > 0 && html`<${NewProgram} families=${families} onMade=${setMade} />`}
    ${ending && html`<${End} token=${ending} onEnded=${ended} onClose=${() => setEnding(null)} />`}
  `;
}

/** @param {{token: Token, onEnd: () => void}} props */
function Row({ token: { name, family_name, scope, last_used_at, expires_at }, onEnd }) {
  const isOver = expires_at !== null && Date.parse(expires_at) <= Date.now();
  return html`
    <div class="row-button">
      <${Icon} name="program" />
      <span>
        <strong><bdi>${name}</bdi></strong>
        <span class="soft">${scopeName(scope)} · <bdi>${family_name}</bdi></span>
        <span class="soft">${last_used_at ? say("programs.used", { when: ago(last_used_at) }) : say("programs.not_used")}${
          expires_at && ` · ${say(isOver ? "programs.ended" : "programs.until", { date: dateText(expires_at) })}`}</span>
      </span>
      <${Button} kind="small" aria-label=${say("programs.end_what", { name })} onClick=${onEnd}>${say("programs.end")}<//>
    </div>
  `;
}

/** @param {{token: Token, onEnded: () => void, onClose: () => void}} props */
function End({ token: { id, name }, onEnded, onClose }) {
  const [isBusy, problem, run] = useWork(explain);
  return html`<${Confirm} title=${say("programs.end_asked", { name })} action=${say("programs.end_it")} busy=${isBusy} problem=${problem} onClose=${onClose}
    onConfirm=${() => run(() => endToken(id).then(onEnded))}
    text=${say("programs.what_ends")} />`;
}
