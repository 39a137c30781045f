// Whether this device is told, and which others are.

import { html, useEffect, useState } from "../vendor/preact.js";
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
    <h2>This device</h2>
    ${needsHomeScreen() ? html`<${HomeScreen} />`
      : !canPush() ? html`<p class="soft">This browser shows no notifications. What is due shows on Today while Baby Basics is open.</p>`
      : isDenied ? html`<p class="soft">This browser shows no notifications of Baby Basics. If you change your mind, allow them in its settings.</p>`
      : html`
          <p class="soft">${here?.state === "on" ? "It tells you, even while Baby Basics is closed."
            : isWanted ? texts.toldSoon(here.problem) : "It tells you nothing yet."}</p>
          <div class="actions"><${Button} busy=${isBusy} onClick=${turn}>
            ${isWanted ? "Turn off here" : "Turn on here"}
          <//></div>
        `}
    <${Problem} text=${problem} />
    ${others.length > 0 &&
    html`
      <h3>Devices that tell you</h3>
      <ul class="card rows">
        ${others.map(
          (one) => html`
            <li key=${one.id}>
              <div class="row-button">
                <${Icon} name="bell" />
                <span><strong>${deviceName(one.user_agent)}</strong><span class="soft">${one.current ? "This device" : `since ${dateText(one.created_at)}`}</span></span>
                <${Button} kind="small" busy=${isBusy} onClick=${() => end(one.id)}>Remove<//>
              </div>
            </li>
          `,
        )}
      </ul>
    `}
  `;
}
