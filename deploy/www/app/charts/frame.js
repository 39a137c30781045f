// What all charts share: a width that is the screen's, axes with round numbers, and a table for who can't see them.

import { createContext, html, useContext, useEffect, useLayoutEffect, useRef, useState } from "../vendor/preact.js";
import { say } from "../words.js";
import { useStyles } from "./styles.js";

/** A size for charts that go on paper, where the screen's says nothing; null on the screen. */
export const Paper = createContext(/** @type {{width: number, em: number} | null} */ (null));

/** Whether the page is being printed: known before it is laid out for paper. */
export function usePrinting() {
  const [isPrinting, setPrinting] = useState(() => matchMedia("print").matches);
  useEffect(() => {
    const media = matchMedia("print");
    const changed = () => setPrinting(media.matches);
    const begun = () => setPrinting(true);
    media.addEventListener("change", changed);
    addEventListener("beforeprint", begun);
    addEventListener("afterprint", changed);
    return () => {
      media.removeEventListener("change", changed);
      removeEventListener("beforeprint", begun);
      removeEventListener("afterprint", changed);
    };
  }, []);
  return isPrinting;
}

/**
 * The width of an element and the size of the page's text, both in pixels: charts are drawn one to one, so that their
 * text grows with the page's.
 */
export function useSize() {
  const ref = useRef(/** @type {HTMLElement | null} */ (null));
  const paper = useContext(Paper);
  const [size, setSize] = useState({ width: 0, em: 16 });
  const isStyled = useStyles(new URL("./charts.css", import.meta.url));
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const measure = () => {
      const width = Math.floor(element.clientWidth);
      const em = parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
      setSize((old) => old.width === width && old.em === em ? old : { width, em });
    };
    measure();
    // In the next frame: drawn within the observer's own, a chart that grows is an error of the page in WebKit.
    const observer = new ResizeObserver(() => requestAnimationFrame(measure));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, ...paper ?? { em: size.em, width: isStyled ? size.width : 0 } };
}

/**
 * Round numbers from 0 to at least `largest`, about `count` of them.
 * @param {number} largest @param {number} [count]
 */
export function ticksTo(largest, count = 4) {
  const rough = Math.max(largest, 1e-9) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const steps = [1, 2, 5, 10].map((times) => times * power);
  const step = steps.find((candidate) => candidate >= rough - 1e-12) ?? 10 * power;
  const last = Math.max(1, Math.ceil(largest / step - 1e-9));
  return Array.from({ length: last + 1 }, (_, place) => Number((place * step).toPrecision(12)));
}

/**
 * A picture with its words: a heading, what is to be known without seeing it, and the same as a table.
 * `isQuiet` is for a place that says the heading and the summary already.
 * @param {{title: string, summary: string, head?: string[], rows?: (string | number)[][], children?: any, boxRef?: any,
 *   isQuiet?: boolean}} props
 */
export function Chart({ title, summary, head = [], rows = [], children, boxRef, isQuiet = false }) {
  return html`
    <figure class="chart">
      <figcaption class=${isQuiet ? "unseen" : ""}>
        ${isQuiet ? title : html`<h2>${title}</h2>`}<p class="soft small">${summary}</p>
      </figcaption>
      <div class="chart-box" ref=${boxRef}>${children}</div>
      ${rows.length > 0 && html`<details class="chart-table">
        <summary>${say("charts.as_table")}<span class="unseen">: ${title}</span></summary>
        <div class="chart-scroll" tabindex="0" role="region" aria-label=${say("charts.titled_table", { title })}><table>
          <thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
          <tbody>${rows.map(([first, ...rest]) => html`<tr>
            <th scope="row">${first}</th>${rest.map((cell) => html`<td>${cell}</td>`)}
          </tr>`)}</tbody>
        </table></div>
      </details>`}
    </figure>`;
}
