// Where the account is signed in, and how to end it elsewhere.

import { html, useEffect, useState } from "../vendor/preact.js";
import { say } from "../words.js";
import { del, get } from "../sync/api.js";
import { explain } from "../parts/text.js";
import { ago } from "../parts/format.js";
import { useWork } from "../parts/hooks.js";
import { Icon } from "../parts/icons.js";
import { Button, Head, Problem } from "../parts/ui.js";

const systems = /** @type {[RegExp, string][]} */ ([[/iPhone/, "iPhone"], [/iPad/, "iPad"], [/Android/, "Android"], [/Mac OS X|Macintosh/, "Mac"], [/Windows/, "Windows"], [/Linux|X11/, "Linux"]]);
const browsers = /** @type {[RegExp, string][]} */ ([[/Edg\//, "Edge"], [/Firefox|FxiOS/, "Firefox"], [/Chrome|CriOS|Chromium/, "Chrome"], [/Safari/, "Safari"]]);

/**
 * "Chrome on Android".
 * @param {string | null} agent
 */
export function deviceName(agent) {
  if (!agent) return say("devices.a_device");
  const find = (/** @type {[RegExp, string][]} */ list) => list.find(([pattern]) => pattern.test(agent))?.[1];
  const [browser, system] = [find(browsers), find(systems)];
  if (!system) return browser ?? agent.slice(0, 60);
  return browser ? say("devices.browser_on", { browser, system }) : say("devices.a_browser_on", { system });
}

export function Devices() {
  const [sessions, setSessions] = useState(/** @type {import("../types/api").OpenSession[]} */ ([]));
  const [isBusy, problem, run] = useWork(explain);
  const read = () => run(async () => setSessions((await get("/auth/sessions")).sessions));
  useEffect(() => {
    read();
  }, []);
  const end = (/** @type {string} */ id) =>
    run(async () => {
      await del(`/auth/sessions/${id}`).catch((error) => error.status === 404 || Promise.reject(error));
      setSessions(sessions.filter((one) => one.id !== id));
    });
  return html`
    <${Head} title=${say("account.signed_in")} back="account" />
    <${Problem} text=${problem} />
    <ul class="card rows">
      ${sessions.map(
        (session) => html`
          <li key=${session.id}>
            <div class="row-button">
              <${Icon} name="today" />
              <span><strong>${deviceName(session.user_agent)}</strong><span class="soft">${session.current ? say("common.this_device") : say("devices.used", { when: ago(session.last_used_at) })}</span></span>
              ${!session.current && html`<${Button} kind="small" busy=${isBusy} onClick=${() => end(session.id)}>${say("devices.sign_out")}<//>`}
            </div>
          </li>
        `,
      )}
    </ul>
    ${problem && html`<div class="actions"><${Button} onClick=${read}>${say("common.try_again")}<//></div>`}
  `;
}
