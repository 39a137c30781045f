// Where a notification leads: to its child, and to what it offered to do.

import { html, useEffect } from "../vendor/preact.js";
import { useStore } from "../parts/hooks.js";

/** How long a child is waited for that this device has yet to hear of, in milliseconds. */
const PATIENCE = 5_000;

/** @param {{rest: string}} props a family, a child, and what is to be done */
export function Open({ rest }) {
  const store = useStore();
  const [family, child, ...what] = rest.split("/");
  const find = () => store.snapshot.families.find(({ id }) => id === family);
  const isThere = Boolean(child && find()?.children.some(({ id }) => id === child));
  useEffect(() => {
    const lead = async () => {
      if (find()) await store.choose(family, isThere ? child : undefined);
      location.replace(`#/today${isThere && what.length ? `/${what.join("/")}` : ""}`);
    };
    const timer = setTimeout(lead, isThere || !child ? 0 : PATIENCE);
    return () => clearTimeout(timer);
  }, [rest, isThere]);
  return html`<p class="soft">…</p>`;
}
