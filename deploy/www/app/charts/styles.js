// Style sheets that come with what needs them, so that no other screen waits for them.

import { useEffect, useState } from "../vendor/preact.js";

/** @type {Map<string, Promise<void>>} */
const sheets = new Map();
/** @type {Set<string>} */
const there = new Set();

/**
 * Adds a style sheet to the page, once.
 * @param {URL} address
 * @returns {Promise<void>} when it is there, or is known not to come
 */
function loadStyles({ href }) {
  let sheet = sheets.get(href);
  if (!sheet) {
    sheet = new Promise((resolve) => {
      const link = document.createElement("link");
      link.rel = "stylesheet";
      link.href = href;
      link.onload = link.onerror = () => {
        there.add(href);
        resolve();
      };
      document.head.append(link);
    });
    sheets.set(href, sheet);
  }
  return sheet;
}

/**
 * Adds style sheets to the page. Who needs them shows nothing before they are there: it would be seen without.
 * @param {...URL} addresses the same ones each time
 * @returns {boolean} whether all are there, or are known not to come
 */
export function useStyles(...addresses) {
  const [areThere, setThere] = useState(addresses.every(({ href }) => there.has(href)));
  useEffect(() => {
    Promise.all(addresses.map(loadStyles)).then(() => setThere(true));
  }, []);
  return areThere;
}
