// Mounts one screen over a store that is a list: for test_screens.py, which sets `given` before the page loads.

import { html, render } from "./vendor/preact.js";
import { loadWords } from "./words.js";
import { dashboard } from "./model/dashboard.js";
import { setZone } from "./parts/format.js";
import { StoreContext } from "./parts/hooks.js";
import { open, transact } from "./store/database.js";

await loadWords("en");
const { screen, look, now, account, child, children, role, events } = window.given;
document.documentElement.dataset.look = look;
setZone(account.timezone);

const database = await open("harness");
const store = Object.assign(new EventTarget(), {
  snapshot: { waiting: 0, waitingIds: new Set() }, version: 1, account, family: { id: "f", role, children },
  async recent(id, type, from) {
    return (await this.events(id, { from, type })).map(({ at, event }) => ({ id: event.id, type, time: Date.parse(at), event }));
  },
  read: (stores, work) => transact(database, stores, "readonly", work),
  writeUnseen: (stores, work) => transact(database, stores, "readwrite", work),
  async events(id, { from = -Infinity, to = Infinity, type: wanted } = {}) {
    return events.filter(({ at, type, event }) => event.child_id === id && Date.parse(at) >= from && Date.parse(at) < to
      && (!wanted || wanted === type)).sort((one, other) => one.at < other.at ? 1 : -1);
  },
});
window.add = (more) => {
  const ids = new Set(more.map(({ event }) => event.id));
  events.splice(0, events.length, ...events.filter(({ event }) => !ids.has(event.id)), ...more.filter(({ event }) => !event.isDeleted));
  store.version += 1;
  store.dispatchEvent(new Event("data"));
  store.dispatchEvent(new Event("change"));
};
const props = { store, family: { id: "f", name: "Miller’s Family", role, children }, child, children, account };
const load = {
  trends: () => import("./screens/trends.js").then(({ TrendsScreen }) => TrendsScreen),
  sheet: () => import("./screens/sheet.js").then(({ SheetScreen }) => SheetScreen),
  doctor: () => import("./screens/doctor.js").then(({ DoctorScreen }) => DoctorScreen),
  month: () => import("./screens/month.js").then(({ MonthScreen }) => MonthScreen),
  asked: () => import("./parts/asked.js").then(({ Asked }) => Asked),
  growth: () => import("./screens/growth.js").then(({ GrowthScreen }) => GrowthScreen),
  import: () => import("./screens/import.js").then(({ ImportScreen }) => ImportScreen),
  export: () => import("./screens/export.js").then(({ ExportScreen }) => ExportScreen),
  ribbon: () => import("./charts/ribbon.js").then(({ Ribbon }) => ({ store: { account } }) => {
    const { day } = dashboard(events, { now, timezone: account.timezone, dayStart: account.day_start_time });
    return html`<${Ribbon} events=${events} day=${day} now=${now} />`;
  }),
};
const Screen = await load[screen]();
const page = html`<${StoreContext.Provider} value=${store}><div class="app"><main><header class="head"><h1>${screen}</h1></header>
  <${Screen} ...${props} /></main></div><//>`;
render(page, document.getElementById("app"));
