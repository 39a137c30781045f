// What is fetched when it is first shown: the screen that it is on doesn't wait for it.

import { html, useLayoutEffect, useState } from "../vendor/preact.js";
import { texts } from "./text.js";
import { toast } from "./toast.js";

/**
 * A part, as if it were here. A sheet that can't be fetched says so, and is closed.
 * @param {() => Promise<any>} load
 * @param {{Meanwhile?: () => any, Otherwise?: () => any}} shown until it is here, and where it can't be fetched
 */
export const fetched = (load, { Meanwhile, Otherwise } = {}) =>
  /** @param {any} props */
  function Fetched(props) {
    const [Part, setPart] = useState(/** @type {any} */ (null));
    const missing = () => {
      if (Otherwise) return setPart(() => Otherwise);
      if (!props.onClose) return;
      toast(texts.notFetched);
      props.onClose();
    };
    useLayoutEffect(() => {
      load().then((found) => setPart(() => found), missing);
    }, []);
    if (!Part) return Meanwhile && html`<${Meanwhile} />`;
    return html`<${Part} ...${props} />`;
  };
