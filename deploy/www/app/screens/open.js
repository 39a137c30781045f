// Where a notification leads: to its child, and to what it offered to do.

import { html, useEffect } from "../vendor/preact.js";
import { useStore } from "../parts/hooks.js";

/** @param {{rest: string}} props a family, a child, and what is to be done */
export function Open({ rest }) {
  const store = useStore();
  useEffect(() => {
    const [family, child, ...what] = rest.split("/");
    const known = store.snapshot.families.find(({ id }) => id === family);
    const isThere = known?.children.some(({ id }) => id === child);
    const chosen = known ? store.choose(family, isThere ? child : undefined) : Promise.resolve();
    chosen.then(() => location.replace(`#/today${isThere && what.length ? `/${what.join("/")}` : ""}`));
  }, [rest]);
  return html`<p class="soft">…</p>`;
}
