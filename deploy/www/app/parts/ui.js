// The small things that screens are made of.

import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { say } from "../words.js";
import { Icon } from "./icons.js";

let made = 0;
/** An id for a label and what it names. */
export function useId() {
  const id = useRef("");
  if (!id.current) id.current = `id${(made += 1)}`;
  return id.current;
}

/** @param {any} props */
export function Field({ label, hint, error, multiline, ...rest }) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ") || undefined;
  const common = { id, "aria-describedby": described, "aria-invalid": error ? "true" : undefined, ...rest };
  return html`
    <div class="field">
      <label for=${id}>${label}</label>
      ${multiline ? html`<textarea rows="3" ...${common}></textarea>` : html`<input ...${common} />`}
      ${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}
      ${error && html`<p class="error" id="${id}-error">${error}</p>`}
    </div>
  `;
}

/**
 * The first field that a form was refused for has the focus, and is read out with its reason.
 * @param {any} errors new at each refusal
 */
export function useInvalid(errors) {
  useEffect(() => {
    /** @type {HTMLElement | null} */ (document.querySelector('[aria-invalid="true"]'))?.focus();
  }, [errors]);
}

/**
 * One of a few, as a row to tap: radio buttons for whoever can't see it.
 * @param {{label: string, options: any[][], value: any, onChange: (value: any) => any, hidden?: boolean, kind?: string}} props
 */
export function Choice({ label, options, value, onChange, hidden = false, kind = "chips" }) {
  const id = useId();
  // What was tapped last shows at once, until it has become the value or was refused.
  const [tapped, setTapped] = useState(/** @type {any[] | null} */ (null));
  const shown = tapped ? tapped[0] : value;
  const choose = async (/** @type {any} */ option) => {
    const mine = [option];
    setTapped(mine);
    try {
      await onChange(option);
    } finally {
      setTapped((now) => (now === mine ? null : now));
    }
  };
  return html`
    <fieldset class="choice ${kind}">
      <legend class=${hidden ? "unseen" : ""}>${label}</legend>
      <div>
        ${options.map(
          (/** @type {any[]} */ [option, text]) => html`
            <label key=${String(option)}>
              <input type="radio" name=${id} checked=${option === shown} onChange=${() => choose(option)} />
              <span>${text}</span>
            </label>
          `,
        )}
      </div>
    </fieldset>
  `;
}

/** @param {any} props */
export function Select({ label, options, value, onChange, hint }) {
  const id = useId();
  return html`
    <div class="field">
      <label for=${id}>${label}</label>
      <select id=${id} value=${value} onChange=${(/** @type {any} */ event) => onChange(event.target.value)}>
        ${options.map((/** @type {any[]} */ [option, text]) => html`<option key=${option} value=${option} selected=${option === value}>${text}</option>`)}
      </select>
      ${hint && html`<p class="hint">${hint}</p>`}
    </div>
  `;
}

/** @param {any} props */
export const Button = ({ kind = "", busy = false, children, ...rest }) => html`
  <button type="button" class="button ${kind}" aria-disabled=${busy ? "true" : undefined} ...${rest}>${children}</button>
`;

/**
 * What went wrong, read out at once.
 * @param {{text: string}} props
 */
export const Problem = ({ text }) => html`<div role="alert">${text && html`<p class="problem">${text}</p>`}</div>`;

/**
 * A sheet over the screen, from below on a phone. The browser keeps the focus in it, and Escape closes it.
 * @param {any} props
 */
export function Sheet({ title, onClose, children }) {
  const dialog = useRef();
  const id = useId();
  useEffect(() => {
    const sheet = dialog.current;
    sheet.showModal();
    sheet.querySelector("h2")?.focus();
    return () => sheet.close(); // and the focus goes back to what opened it
  }, []);
  const outside = (/** @type {any} */ event) => event.target === dialog.current && onClose();
  return html`
    <dialog class="sheet" ref=${dialog} aria-labelledby=${id} onMouseDown=${outside}
      onCancel=${(/** @type {Event} */ event) => {
        event.preventDefault();
        onClose();
      }}>
      <div class="sheet-body">
        <header>
          <h2 id=${id} tabindex="-1">${title}</h2>
          <button type="button" class="plain" aria-label=${say("common.close")} onClick=${onClose}><${Icon} name="close" /></button>
        </header>
        ${children}
      </div>
    </dialog>
  `;
}

/** The page begins anew. */
export const Again = () => html`<div class="actions"><${Button} kind="primary" onClick=${() => location.reload()}>${say("common.try_again")}<//></div>`;

/**
 * A screen's head: its name, and the way back for one that is not in the bar.
 * @param {any} props
 */
export function Head({ title, back, children }) {
  const heading = useRef();
  useEffect(() => {
    heading.current.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, []);
  useEffect(() => {
    document.title = say("common.page_title", { title }); // which others may change while it is read
  }, [title]);
  return html`
    <header class="head">
      ${back && html`<a class="plain" href="#/${back}" aria-label=${say("common.back")}><${Icon} name="back" /></a>`}
      <h1 ref=${heading} tabindex="-1">${title}</h1>
      ${children}
    </header>
  `;
}

/**
 * Asks before something that can't be undone.
 * @param {any} props
 */
export const Confirm = ({ title, text, action, onConfirm, onClose, busy, problem = "", children }) => html`
  <${Sheet} title=${title} onClose=${onClose}>
    <p>${text}</p>
    ${children}
    <${Problem} text=${problem} />
    <div class="actions">
      <${Button} kind="danger" busy=${busy} onClick=${onConfirm}>${action}<//>
      <${Button} onClick=${onClose}>${say("common.cancel")}<//>
    </div>
  <//>
`;
