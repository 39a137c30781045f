// The screens that compute: each gets the store and whose they show.

import { html, useState } from "../vendor/preact.js";
import { say } from "../words.js";
import { fetched } from "../parts/fetched.js";
import { useStore } from "../parts/hooks.js";
import { Button, Choice, Head } from "../parts/ui.js";
import { LogSheet } from "./log.js";
import { Dots, Unfetched } from "./unfetched.js";

const computed = (/** @type {() => Promise<any>} */ load) => fetched(load, { Meanwhile: Dots, Otherwise: Unfetched });

/** @type {Record<string, (props: any) => any>} */
const screens = {
  trends: computed(() => import("./trends.js").then((module) => module.TrendsScreen)),
  growth: computed(() => import("./growth.js").then((module) => module.GrowthScreen)),
  sheet: computed(() => import("./sheet.js").then((module) => module.SheetScreen)),
  doctor: computed(() => import("./doctor.js").then((module) => module.DoctorScreen)),
  month: computed(() => import("./month.js").then((module) => module.MonthScreen)),
  import: computed(() => import("./import.js").then((module) => module.ImportScreen)),
  export: computed(() => import("./export.js").then((module) => module.ExportScreen)),
};

/** @param {"trends" | "growth" | "doctor" | "month" | "sheet" | "import" | "export"} name @param {string} [back] */
const screen = (name, back) =>
  function Screen() {
    const store = useStore();
    const { family } = store;
    const { child } = store.snapshot;
    const [isMeasuring, setMeasuring] = useState(false);
    const isPicked = family.children.length > 1 && name !== "export" && name !== "import";
    return html`
      <${Head} title=${say(`more.${name}`)} back=${back} />
      ${isPicked && child &&
      html`<${Choice} label=${say("common.child")} hidden kind="children" value=${child.id} options=${family.children.map((one) => [one.id, one.name])}
        onChange=${(/** @type {string} */ id) => store.choose(family.id, id)} />`}
      ${!child ? html`<p class="soft">${say("today.no_child")}</p>` : html`<${screens[name]} store=${store} family=${family} child=${child} children=${family.children} account=${store.account} key=${child.id} />`}
      ${name === "growth" && child && family.role !== "viewer" && html`<div class="actions"><${Button} onClick=${() => setMeasuring(true)}>${say("more.add_measurement")}<//></div>`}
      ${isMeasuring && html`<${LogSheet} type="measurement" child=${child} last=${{}} isTwin=${family.children.length > 1} onClose=${() => setMeasuring(false)} />`}
      ${name === "trends" && child && html`<div class="actions"><a class="button" href="#/growth">${say("more.growth_curves")}</a><a class="button" href="#/doctor">${say("more.doctor")}</a><a class="button" href="#/sheet">${say("more.days_to_print")}</a></div>`}
    `;
  };

export const Trends = screen("trends");
export const Growth = screen("growth", "trends");
export const ForDoctor = screen("doctor", "trends");
export const Month = screen("month", "timeline");
export const FourteenDays = screen("sheet", "trends");
export const Import = screen("import", "family");
export const Export = screen("export", "family");
