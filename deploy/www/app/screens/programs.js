// Other programs that act for this person, each by a token of its own.

import { html, useEffect, useState } from "../vendor/preact.js";
import { endToken, tokens } from "../sync/programs.js";
import { explain } from "../parts/text.js";
import { ago, dateText } from "../parts/format.js";
import { useStore, useWork } from "../parts/hooks.js";
import { Icon } from "../parts/icons.js";
import { Secret } from "../parts/secret.js";
import { Button, Confirm, Head, Problem } from "../parts/ui.js";
import { NewProgram, scopes } from "./new-program.js";

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
    return html`<${Secret} title="Token made" back="account" secret=${made.secret} onDone=${() => setMade(null)}
      lost="If it gets lost, end this token and make another. Whoever has it can do what it may.">
      <div><dt>Program</dt><dd><bdi>${made.name}</bdi></dd></div>
      <div><dt>Family</dt><dd><bdi>${made.family_name}</bdi></dd></div>
      <div><dt>It may</dt><dd>${scopes[made.scope].name}</dd></div>
      ${made.expires_at && html`<div><dt>Until</dt><dd>${dateText(made.expires_at)}</dd></div>`}
    <//>`;
  }
  return html`
    <${Head} title="Other programs" back="account" />
    <p class="soft">A button beside the bed, a spreadsheet, a home that turns the light down: a program can look at a family,
      or log for you. Each has a token of its own, and what it logs has your name.
      ${" "}<a href="/api/docs">What programs can ask</a></p>
    <${Problem} text=${problem} />
    ${problem && !known && html`<div class="actions"><${Button} onClick=${read}>Try again<//></div>`}
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
        <span class="soft">${scopes[scope]?.name ?? scope} · <bdi>${family_name}</bdi></span>
        <span class="soft">${last_used_at ? `Used ${ago(last_used_at)}` : "Not used yet"}${
          expires_at && ` · ${isOver ? "ended" : "until"} ${dateText(expires_at)}`}</span>
      </span>
      <${Button} kind="small" aria-label=${`End ${name}`} onClick=${onEnd}>End<//>
    </div>
  `;
}

/** @param {{token: Token, onEnded: () => void, onClose: () => void}} props */
function End({ token: { id, name }, onEnded, onClose }) {
  const [isBusy, problem, run] = useWork(explain);
  return html`<${Confirm} title=${`End ${name}?`} action="End it" busy=${isBusy} problem=${problem} onClose=${onClose}
    onConfirm=${() => run(() => endToken(id).then(onEnded))}
    text="The program can’t look or log any more, from now on. What it logged stays." />`;
}
