// Said while entries are on this device alone and the browser didn't promise to keep them.

import { html, useEffect, useState } from "../vendor/preact.js";
import { say } from "../words.js";
import { askToKeep, isKept } from "../store/keep.js";
import { sentences, texts } from "../parts/text.js";
import { useStore } from "../parts/hooks.js";
import { toast } from "../parts/toast.js";
import { Button } from "../parts/ui.js";

export function Kept() {
  const { onlyHere } = useStore().snapshot;
  const [kept, setKept] = useState(/** @type {boolean | null} */ (null));
  const [isAsked, setAsked] = useState(false);
  useEffect(() => {
    isKept().then(setKept, () => {});
  }, [onlyHere > 0]);
  if (kept !== false || !onlyHere) return null;
  const ask = async () => {
    const answered = await askToKeep().catch(() => false);
    setAsked(true);
    setKept(answered);
    if (answered) toast(say("kept.keeps_now"));
  };
  return html`
    <div class="notice kept" role="status">
      <p>${sentences(texts.notKept(onlyHere), isAsked && say("kept.said_no"))}</p>
      <${Button} onClick=${ask}>${say("kept.ask", { count: onlyHere })}<//>
    </div>
  `;
}
