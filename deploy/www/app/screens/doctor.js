// Two sheets of paper for the doctor, made on this device: growth and what was marked, and the days as charts.

import { useStyles } from "../charts/styles.js";
import { usePrinting } from "../charts/frame.js";
import { addDays, dateOf, edgesOf, daysBetween } from "../model/days.js";
import { doctorReport } from "../model/doctor.js";
import { growthAnswers, keepGrowthAnswers } from "../model/growth-device.js";
import { loadStandard } from "../model/growth.js";
import { useQuery } from "../parts/hooks.js";
import { Button, Choice, Field } from "../parts/ui.js";
import { now } from "../store/clock.js";
import { html, useEffect, useMemo, useState } from "../vendor/preact.js";
import { say } from "../words.js";
import { DaysSheet, FirstSheet } from "./doctor-sheets.js";
import { Questions } from "./growth.js";

const DAY = 86_400_000;
const MOST = 92; // days that a sheet has room for
const ranges = () => [["visit", say("doctor.since_visit")], [14, say("doctor.two_weeks")], [30, say("doctor.a_month")]];

/** @param {{store: any, child: import("../store/types").StoredChild, account: any}} props */
export function DoctorScreen({ store, child, account }) {
  const [answers, setAnswers] = useState(() => growthAnswers(child.id));
  const [range, setRange] = useState(/** @type {string | number} */ (answers.visit ? "visit" : 14));
  const { timezone, day_start_time: dayStart } = account;
  const person = useMemo(() => ({ timezone, dayStart }), [timezone, dayStart]);
  const today = dateOf(now(), person);
  const from = firstDay(range, answers.visit, today);
  const [isAsked] = useState(!answers.sex); // once answered here, it can still be put right here
  const isPrinting = usePrinting();
  const standard = useStandard();
  const isStyled = useStyles(new URL("./print.css", import.meta.url), new URL("./doctor.css", import.meta.url));
  const found = useQuery(async () => {
    const edges = edgesOf(today, daysBetween(from, today) + 1, person);
    const [events, measured] = await Promise.all([
      store.events(child.id, { from: edges[0] - DAY, to: edges[edges.length - 1] }),
      store.events(child.id, { type: "measurement" }),
    ]);
    return { from, events, measured };
  }, [child.id, from, today, person]);
  const report = useMemo(
    () => found && doctorReport(found.events, { from: found.from, to: today, now: now(), ...person }), [found]);
  const answer = (/** @type {import("../model/growth-device.js").Answers} */ more) => {
    const next = { ...answers, ...more };
    keepGrowthAnswers(child.id, next);
    setAnswers(next);
  };
  if (!isStyled) return html`<p class="soft">…</p>`;
  return html`
    <div class="not-on-paper">
      <${Choice} label=${say("doctor.which_days")} hidden options=${ranges()} value=${range} onChange=${setRange} />
      ${range === "visit" && html`<${Field} label=${say("doctor.last_visit")} type="date" value=${answers.visit ?? ""}
        max=${today}
        hint=${answers.visit && answers.visit < from ? say("doctor.charts_go_back", { count: MOST }) : say("doctor.stays_here")}
        onChange=${(/** @type {any} */ event) => answer({ visit: event.target.value || undefined })} />`}
      ${isAsked && html`<${Questions} ...${{ child, answers, answer, today }} />`}
      <div class="actions"><${Button} kind="primary" onClick=${() => print()}>${say("doctor.print")}<//></div>
    </div>
    ${report && found && html`
      <div class="paper" aria-busy=${found.from !== from}>
        <${FirstSheet} measured=${found.measured}
          ...${{ report, standard, answers, child, account, today, isPrinting }} />
        <${DaysSheet} ...${{ report, events: found.events, person, today, isPrinting }} />
      </div>`}`;
}

/**
 * @param {string | number} range @param {string | undefined} visit @param {string} today
 * @returns {string}
 */
function firstDay(range, visit, today) {
  if (typeof range === "number") return addDays(today, 1 - range);
  const earliest = addDays(today, 1 - MOST);
  if (!visit || visit > today) return addDays(today, 1 - 14);
  return visit < earliest ? earliest : visit;
}

/** WHO's tables; without them the sheets are plainer. */
function useStandard() {
  const [standard, setStandard] = useState(/** @type {any} */ (null));
  useEffect(() => {
    loadStandard().then(setStandard, () => {});
  }, []);
  return standard;
}
