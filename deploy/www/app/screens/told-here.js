// Whether this device is told, and which others are.

import { html, useEffect, useState } from "../vendor/preact.js";
import { say } from "../words.js";
import { canPush, devices, drop, needsHomeScreen, permission, standing, turnOff, turnOn } from "../sync/push.js";
import { explain, texts } from "../parts/text.js";
import { dateText } from "../parts/format.js";
import { useQuery, useWork } from "../parts/hooks.js";
import { Icon } from "../parts/icons.js";
import { Button, Problem } from "../parts/ui.js";
import { deviceName } from "./devices.js";
import { HomeScreen } from "./home-screen.js";

/** @param {{store: import("../store/store.js").Store}} props */
export function ToldHere({ store }) {
  const here = useQuery(() => standing(store), []);
  const isWanted = here !== undefined && here.state !== "off";
  const [others, setOthers] = useState(/** @type {any[]} */ ([]));
  const [isBusy, problem, run] = useWork(explain);
  const read = async () => setOthers(await devices());
  const turn = () =>
    run(async () => {
      await (isWanted ? turnOff(store) : turnOn(store));
      await read();
    });
  useEffect(() => {
    run(read);
  }, []);
  const end = (/** @type {string} */ id) =>
    run(async () => {
      if (others.some((one) => one.id === id && one.current)) await turnOff(store);
      else await drop(id);
      setOthers(others.filter((one) => one.id !== id));
    });
  const isDenied = permission() === "denied";
  return html`
    <h2>${say("common.this_device")}</h2>
    ${needsHomeScreen() ? html`<${HomeScreen} />`
      : !canPush() ? html`<p class="soft">${say("told.not_by_browser")}</p>`
      : isDenied ? html`<p class="soft">${say("told.denied")}</p>`
      : html`
          <p class="soft">${here?.state === "on" ? say("told.tells_you")
            : isWanted ? texts.toldSoon(here.problem) : say("told.tells_nothing")}</p>
          <div class="actions"><${Button} busy=${isBusy} onClick=${turn}>
            ${isWanted ? say("told.turn_off_here") : say("told.turn_on_here")}
          <//></div>
        `}
    <${Problem} text=${problem} />
    ${others.length > 0 &&
    html`
      <h3>${say("told.devices")}</h3>
      <ul class="card rows">
        ${others.map(
          (one) => html`
            <li key=${one.id}>
              <div class="row-button">
                <${Icon} name="bell" />
                <span><strong>${deviceName(one.user_agent)}</strong><span class="soft">${one.current ? say("common.this_device") : say("told.since", { date: dateText(one.created_at) })}</span></span>
                <${Button} kind="small" busy=${isBusy} onClick=${() => end(one.id)}>${say("common.remove")}<//>
              </div>
            </li>
          `,
        )}
      </ul>
    `}
  `;
}
