// Asked when a pumping has been stopped: how much it was. Closed without an answer, the pumping stays as it is.

import { html, useState } from "../vendor/preact.js";
import { edit } from "../store/log.js";
import { explainStorage } from "../text.js";
import { missing, MOST_PUMPED } from "../screens/forms/missing.js";
import { Amount } from "../screens/forms/numbers.js";
import { amount } from "./format.js";
import { useStore, useWork } from "./hooks.js";
import { Button, Problem, Sheet } from "./ui.js";

/** @param {{one: any, offered: number | null, onClose: () => void}} props */
export function Pumped({ one, offered, onClose }) {
  const store = useStore();
  const [ml, setMl] = useState(offered);
  const [isBusy, problem, run] = useWork((error) => (typeof error === "string" ? error : explainStorage(error)));
  const save = () =>
    run(async () => {
      const gap = missing("pumping", { amount_ml: ml });
      if (gap) throw gap;
      if (ml) await edit(store, one.id, { amount_ml: ml });
      onClose();
    });
  return html`
    <${Sheet} title="How much was it?" onClose=${onClose}>
      <${Amount} label="Amount" most=${MOST_PUMPED} value=${ml} onChange=${setMl} />
      <${Problem} text=${problem} />
      <div class="actions stay"><${Button} kind="primary" busy=${isBusy} onClick=${save}>${ml ? `Save ${amount(ml)}` : Number.isNaN(ml) ? "Save" : "Save without an amount"}<//></div>
    <//>
  `;
}
