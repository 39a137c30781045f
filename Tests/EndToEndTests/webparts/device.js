// A device for tests under node: a store with an account, and a server that is a function.

import "./indexeddb.js";
import { Store } from "../../../deploy/www/app/store/store.js";

globalThis.navigator ??= { language: "en-US" }; // an older node has none
globalThis.dispatchEvent ??= () => true;

export const T = (minute) => new Date(Date.parse("2026-06-10T12:00:00Z") + minute * 60_000).toISOString();
let made = 0;

/** An account's store, with a child of the family; closed when the test has ended. */
export async function device(test) {
  const account = { id: `user-${(made += 1)}`, name: "Johnny", timezone: "UTC", day_start_time: "07:00" };
  const store = await Store.open(account);
  test.after(() => store.close());
  await store.write(["families", "children"], async (table) => {
    table("families").put({ id: "f", name: "Miller’s Family", created_at: T(0) });
    table("children").put({ id: "ada", family_id: "f", name: "Ada", created_at: T(0) });
  });
  return store;
}

export const ada = { id: "ada", family_id: "f", name: "Ada" };
export const all = (store, table) => store.read([table], async (at) => new Promise((resolve) => {
  const request = at(table).getAll();
  request.onsuccess = () => resolve(request.result);
}));

/** An event as the server has it. */
export const event = (id, revision, fields = {}) => ({
  id, child_id: "ada", type: "bottle", amount_ml: 90, started_at: T(0), notes: null, revision, created_at: T(0), updated_at: T(revision),
  created_by: { user_id: "u", name: "Maria" }, updated_by: null, ...fields,
});

/** A server: `answer` gives status and body of each request, which are noted. */
export function serve(answer) {
  const asked = [];
  globalThis.fetch = async (url, { method, body }) => {
    const request = { method, path: url.replace("/api/v1", ""), body: body && JSON.parse(body) };
    asked.push(request);
    const [status, value] = answer(request, asked.length);
    const text = value && JSON.stringify(status < 400 ? value : { error: { code: "X", message: "No", details: [], ...value } });
    return new Response(text ?? null, { status, headers: { Date: new Date().toUTCString() } });
  };
  return asked;
}
