import assert from "node:assert/strict";
import { test } from "node:test";
import { ownForm } from "../../../deploy/www/app/transfer/own.js";
import { kinds } from "../../../deploy/www/app/store/kinds.js";
import { readTable } from "../../../deploy/www/app/transfer/csv.js";
import { exportJSON, exportTable, fileName, kindsIn, withOffset } from "../../../deploy/www/app/transfer/export.js";

const event = (type, at, fields) => ({
  type, at, event: {
    id: `${type}-${at}`, child_id: "c", notes: null, created_by: { user_id: "u", name: "Jo" }, created_at: at,
    updated_at: at, ...fields,
  },
});
const children = [{
  id: "c", name: "Emma, the first", date_of_birth: "2026-01-01", events: [
    event("feeding", "2026-07-01T12:00:00.000Z", {
      type: "bottle", started_at: "2026-07-01T12:00:00.000Z", ended_at: null, amount_ml: 90.5, content: "formula",
      notes: 'said "more"\nslept',
    }),
    event("diaper", "2026-03-01T12:00:00.000Z", { type: "wet", occurred_at: "2026-03-01T12:00:00.000Z", color: null }),
    event("feeding", "2026-01-15T12:00:00.000Z",
      { type: "breast", side: "left", started_at: "2026-01-15T12:00:00.000Z", ended_at: "2026-01-15T12:20:00.500Z" }),
  ],
}];

test("times have the offset of their day", () => {
  assert.equal(withOffset("2026-01-15T12:00:00.000Z", "America/New_York"), "2026-01-15T07:00:00-05:00");
  assert.equal(withOffset("2026-07-01T12:00:00.000Z", "America/New_York"), "2026-07-01T08:00:00-04:00");
  assert.equal(withOffset("2026-01-15T12:00:00.250Z", "Asia/Kathmandu"), "2026-01-15T17:45:00.250+05:45");
  assert.equal(withOffset("2026-01-15T12:00:00.000Z", "UTC"), "2026-01-15T12:00:00+00:00");
  // The hour that comes twice is two.
  assert.equal(withOffset("2026-11-01T05:30:00.000Z", "America/New_York"), "2026-11-01T01:30:00-04:00");
  assert.equal(withOffset("2026-11-01T06:30:00.000Z", "America/New_York"), "2026-11-01T01:30:00-05:00");
  for (const time of ["2026-01-15T12:00:00.250Z", "2026-11-01T05:30:00.000Z", "2026-11-01T06:30:00.000Z"]) {
    assert.equal(new Date(withOffset(time, "America/New_York")).toISOString(), time);
  }
});

test("a table a kind: oldest first, every field, nothing lost in quotes", () => {
  const text = exportTable("feeding", children, "America/New_York");
  const { header, rows } = readTable(text);
  assert.equal(header.join(" "),
    "id child_id child started_at ended_at type side left_minutes right_minutes last_side amount_ml content food notes created_by created_at updated_at");
  assert.equal(rows.length, 2);
  const named = ({ cells }) => Object.fromEntries(header.map((name, place) => [name, cells[place]]));
  const [first, second] = rows.map(named);
  assert.deepEqual([first.child, first.started_at, first.ended_at, first.side],
    ["Emma, the first", "2026-01-15T07:00:00-05:00", "2026-01-15T07:20:00.500-05:00", "left"]);
  assert.deepEqual([second.amount_ml, second.notes, second.created_by], ["90.5", 'said "more"\nslept', "Jo"]);
  assert.ok(!/[^\r]\n/.test(text.replace(/"[^"]*(""[^"]*)*"/g, "")), "lines end with CRLF");
});

test("a table comes back as its kind, with every field; one of an older version, too", () => {
  const values = { choice: ({ words }) => words[0], time: () => "2026-06-10T12:00:00.000Z", number: ({ least }) => least, whole: ({ least }) => least, flag: () => true };
  for (const [kind, { time, fields }] of Object.entries(kinds)) {
    const all = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, values[field.form]?.(field) ?? "Text"]));
    const one = [{ id: "c", name: "Emma", date_of_birth: "2026-01-01", events: [event(kind, all[time], all)] }];
    const { header, rows: [{ cells }] } = readTable(exportTable(kind, one, "UTC"));
    const form = ownForm(header);
    assert.equal(form.kind, kind);
    assert.deepEqual(form.read((name) => cells[header.indexOf(name)] ?? "", { timezone: "UTC" }), all, kind);
  }
  const before = "id child_id child started_at ended_at type side amount_ml content food notes created_by created_at updated_at";
  assert.equal(ownForm(before.split(" ")).kind, "feeding");
  assert.equal(ownForm(["date", "weight"]), null);
});

test("one JSON holds the family, each child and each event as it is on the wire", () => {
  const all = JSON.parse(exportJSON({ family: { id: "f", name: "Miller", role: "parent" }, children, now: 0 }));
  assert.deepEqual([all.format, all.version, all.exported_at], ["baby-basics", 1, "1970-01-01T00:00:00.000Z"]);
  assert.deepEqual(all.family, { id: "f", name: "Miller" });
  assert.deepEqual(all.children, children);
});

test("which kinds there are, and names of files", () => {
  assert.deepEqual(kindsIn(children), [{ kind: "feeding", count: 2 }, { kind: "diaper", count: 1 }]);
  assert.equal(fileName("Müller’s Family", "feedings", "csv", "2026-11-25"), "Muller-s-Family-feedings-2026-11-25.csv");
  assert.equal(fileName("家族", "all", "json", "2026-11-25"), "family-all-2026-11-25.json");
});
