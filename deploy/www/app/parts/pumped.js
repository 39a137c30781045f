// Asked when a pumping has been stopped: how much it was. Closed without an answer, the pumping stays as it is.

import { html, useState } from "../vendor/preact.js";
import { say } from "../words.js";
import { edit } from "../store/log.js";
import { explainStorage } from "./text.js";
import { boundsOf, missing } from "./missing.js";
import { Amount } from "./numbers.js";
import { amount } from "./format.js";
import { useStore, useWork } from "./hooks.js";
import { Button, Problem, Sheet } from "./ui.js";

/** @param {{one: import("../store/types").Kept, offered: number | null, onClose: () => void}} props */
export function Pumped({ one, offered, onClose }) {
  const store = useStore();
  const [ml, setMl] = useState(offered);
  const [isBusy, problem, run] = useWork((error) => (typeof error === "string" ? error : explainStorage(error)));
  const save = () =>
    run(async () => {
      const gap = missing("pumping", { amount_ml: ml });
      if (gap) throw gap;
      if (ml) await edit(store, one, { amount_ml: ml });
      onClose();
    });
  return html`
    <${Sheet} title=${say("pumped.how_much")} onClose=${onClose}>
      <${Amount} label=${say("common.amount")} most=${boundsOf("pumping", "amount_ml").most} value=${ml} onChange=${setMl} />
      <${Problem} text=${problem} />
      <div class="actions stay"><${Button} kind="primary" busy=${isBusy} onClick=${save}>${ml ? say("pumped.save_amount", { amount: amount(ml) }) : say(Number.isNaN(ml) ? "common.save" : "pumped.save_without")}<//></div>
    <//>
  `;
}
