// The family: its people and children, and what may be done. Who may not do a thing doesn't see its button.

import { html, useState } from "../vendor/preact.js";
import { say, sayNodes } from "../words.js";
import { roles } from "../parts/text.js";
import { age, dateText, plainDate } from "../parts/format.js";
import { go, useStore } from "../parts/hooks.js";
import { Icon } from "../parts/icons.js";
import { Notices, Waiting } from "./notices.js";
import { may } from "../parts/may.js";
import { Button, Head } from "../parts/ui.js";
import { Delete, Leave, Rename } from "./family-sheets.js";

export function Family() {
  const store = useStore();
  const { family } = store;
  const { families } = store.snapshot;
  const can = may(family, store.account.id);
  const [sheet, setSheet] = useState("");
  const close = () => setSheet("");
  return html`
    <${Head} title=${family.name}>
      ${can.manage && html`<${Button} kind="small" onClick=${() => setSheet("rename")}>${say("family.edit")}<//>`}
    <//>
    <${Waiting} />
    <${Notices} />
    <h2>${say("family.members")}</h2>
    <ul class="card rows">
      ${family.members.map((one) => html`<li key=${one.user_id}><${Person} person=${one} me=${store.account.id} can=${can} /></li>`)}
    </ul>
    ${can.invite && html`<div class="actions"><${Button} kind="primary" onClick=${() => go("invite")}><${Icon} name="plus" />${say("family.invite")}<//></div>`}
    <h2>${say("family.children")}</h2>
    <ul class="card rows">
      ${family.children.map((one) => html`<li key=${one.id}><${Child} child=${one} /></li>`)}
      ${!family.children.length && html`<li class="soft">${say("family.none_yet")}</li>`}
    </ul>
    ${can.manage && html`<div class="actions"><${Button} onClick=${() => go("child")}><${Icon} name="plus" />${say("child.add")}<//></div>`}
    ${(families.length > 1 || can.manage) && html`<h2>${say("family.others")}</h2>`}
    ${families.length > 1 &&
    html`
      <ul class="card rows">
        ${families.filter((one) => one.id !== family.id).map(
          (/** @type {any} */ one) => html`
            <li key=${one.id}>
              <button type="button" class="row-button" onClick=${() => store.choose(one.id).then(() => go("today"))}>
                <${Icon} name="family" /><span><strong>${one.name}</strong><span class="soft">${roles[/** @type {"parent"} */ (one.role)] ?? ""}</span></span>
                <span class="soft">${say("family.switch")}</span>
              </button>
            </li>
          `,
        )}
      </ul>
    `}
    ${can.manage && html`<div class="actions"><${Button} onClick=${() => go("new-family")}><${Icon} name="plus" />${say("family.create")}<//></div>`}
    <h2>${say("family.more")}</h2>
    <ul class="card rows">
      ${can.manage && html`<li><a class="row-button" href="#/changes"><${Icon} name="timeline" /><span><strong>${say("changes.title")}</strong></span><${Icon} name="next" /></a></li>`}
      <li><a class="row-button" href="#/export"><${Icon} name="share" /><span><strong>${say("more.export")}</strong></span><${Icon} name="next" /></a></li>
      ${can.log && html`<li><a class="row-button" href="#/import"><${Icon} name="plus" /><span><strong>${say("more.import")}</strong></span><${Icon} name="next" /></a></li>`}
      ${can.manage && html`<li><a class="row-button" href="#/webhooks"><${Icon} name="program" /><span><strong>${say("family.webhooks")}</strong></span><${Icon} name="next" /></a></li>`}
      <li><a class="row-button" href="#/account"><${Icon} name="person" /><span><strong>${say("account.title")}</strong></span><${Icon} name="next" /></a></li>
      <li><button type="button" class="row-button" onClick=${() => setSheet("leave")}><${Icon} name="back" /><span><strong>${say("family.leave")}</strong></span></button></li>
      ${can.delete && html`<li><button type="button" class="row-button bad" onClick=${() => setSheet("delete")}><${Icon} name="close" /><span><strong>${say("family.delete")}</strong></span></button></li>`}
    </ul>
    ${sheet === "rename" && html`<${Rename} family=${family} onClose=${close} />`}
    ${sheet === "leave" && html`<${Leave} family=${family} onClose=${close} />`}
    ${sheet === "delete" && html`<${Delete} family=${family} onClose=${close} />`}
  `;
}

/** @param {any} props */
function Person({ person, me, can }) {
  const role = roles[/** @type {"parent"} */ (person.role)] ?? person.role;
  const name = html`<bdi>${person.name}</bdi>`;
  const inner = html`
    <${Icon} name="person" />
    <span><strong>${person.user_id === me ? sayNodes("family.you", { name }) : name}</strong>
      <span class="tag">${person.is_owner ? say("family.owner", { role }) : role}</span>
      ${person.access_until && html`<span class="soft">${say("family.until", { date: dateText(person.access_until) })}</span>`}
      <span class="soft">${person.email}</span></span>
  `;
  return can.changeMember(person) ? html`<a class="row-button" href=${`#/member/${person.user_id}`}>${inner}<${Icon} name="next" /></a>` : html`<div class="row-button">${inner}</div>`;
}

/** @param {any} props */
const Child = ({ child }) => html`
  <a class="row-button" href=${`#/child/${child.id}`}>
    <${Icon} name="child" />
    <span><strong><bdi>${child.name}</bdi></strong><span class="soft">${say("child.born", { date: plainDate(child.date_of_birth), age: age(child.date_of_birth) })}</span></span>
    <${Icon} name="next" />
  </a>
`;
