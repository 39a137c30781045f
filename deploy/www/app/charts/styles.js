// Style sheets that come with what needs them, so that no other screen waits for them.

/** @type {Map<string, Promise<void>>} */
const sheets = new Map();

/**
 * Adds a style sheet to the page, once.
 * @param {URL} address
 * @returns {Promise<void>} when it is there, or is known not to come
 */
export function loadStyles({ href }) {
  let sheet = sheets.get(href);
  if (!sheet) {
    sheet = new Promise((resolve) => {
      const link = document.createElement("link");
      link.rel = "stylesheet";
      link.href = href;
      link.onload = link.onerror = () => resolve();
      document.head.append(link);
    });
    sheets.set(href, sheet);
  }
  return sheet;
}
