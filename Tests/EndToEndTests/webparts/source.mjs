// The app's source as a reader of words sees it: what of it is said to people, and which keys of the catalog it names.

import { readdirSync, readFileSync } from "node:fs";

export const app = new URL("../../../deploy/www/app/", import.meta.url);

/** Every module that is ours, by its path in the app. */
export const modules = readdirSync(app, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".js") && !/^(vendor|types)\//.test(path)).sort()
  .map((path) => ({ path, text: readFileSync(new URL(path, app), "utf8") }));

const HOLE = "\u0001"; // where a template has ${…}
// After these a slash begins a regular expression, not a division.
const BEFORE_REGEX = /(?:^|[=(,:;!&|?{}[+>]|\breturn|\btypeof|\bof|\bin)\s*$/;

/**
 * Strings and templates of a module, comments left out.
 * @param {string} source @returns {{kind: "string" | "template" | "html", text: string, before: string, attribute: string}[]} `before`: code up to
 *   it; `attribute`: of an element, that it is in the ${…} of
 */
export function literals(source) {
  const found = [];
  let at = 0;
  const code = (end, attribute = "") => { // up to the } that ends a ${…}, or to the end
    for (let depth = 0, line = ""; at < source.length;) {
      const two = source.slice(at, at + 2);
      const one = source[at];
      if (two === "//") at = (source.indexOf("\n", at) + source.length + 1) % (source.length + 1) || source.length;
      else if (two === "/*") at = source.indexOf("*/", at) + 2;
      else if (one === '"' || one === "'") {
        const start = at + 1;
        for (at += 1; source[at] !== one; at += 1) if (source[at] === "\\") at += 1;
        found.push({ kind: "string", text: source.slice(start, at), before: line, attribute });
        at += 1;
        line += '""';
      } else if (one === "`") {
        const place = found.push({ kind: /\bhtml$/.test(line) ? "html" : "template", text: "", before: line, attribute }) - 1;
        at += 1;
        template(found[place]);
        line += "``";
      } else if (one === "/" && BEFORE_REGEX.test(line)) {
        for (let inClass = false, isOver = false; !isOver;) {
          at += 1;
          if (source[at] === "\\") at += 1;
          else if (source[at] === "[") inClass = true;
          else if (source[at] === "]") inClass = false;
          else if (source[at] === "/" && !inClass) isOver = true;
        }
        at += 1;
        line += "/ /";
      } else {
        if (one === "{") depth += 1;
        if (one === "}" && end && depth === 0) return;
        if (one === "}") depth -= 1;
        line = one === "\n" ? "" : line + one;
        at += 1;
      }
    }
  };
  const template = (into) => {
    for (; source[at] !== "`"; at += 1) {
      if (source[at] === "\\") into.text += source[(at += 1)];
      else if (source.startsWith("${", at)) {
        at += 2;
        code(true, into.kind === "html" ? /([\w-]+)=$/.exec(into.text)?.[1] : into.attribute);
        into.text += HOLE;
      } else into.text += source[at];
    }
    at += 1;
  };
  code(false);
  return found;
}

const WORD = /\p{L}{2,}/u;
const SAID = /\s(?:label|title|hint|text|action|alt|placeholder|content|summary|aria-label|aria-description)="([^"]*)"/g;

/** @param {string} text of an html`…` @returns {string[]} what it says by itself */
export function saidByHTML(text) {
  const said = [];
  // A > within quotes or a hole ends no tag: holes are single letters here.
  const rest = text.replace(/<(?:[^"'<>]|"[^"]*"|'[^']*')*>/g, (tag) => {
    for (const [, value] of tag.matchAll(SAID)) said.push(value);
    return HOLE;
  });
  return [...said, ...rest.split(HOLE)].map((one) => one.replace(/\s+/g, " ").trim()).filter((one) => WORD.test(one));
}

/** What is in these is for the browser. */
const UNSAID = new Set(["class", "href", "id", "key", "name", "kind", "type", "d"]);
const SENTENCE = /\p{L}{2,}[,:]? \p{Ll}{2,}/u; // two words, the second small
const ALONE = /^\p{Lu}\p{Ll}+(?:[.!?…:]| \p{Lu}\p{Ll}+)*$/u; // "Saved", "Log In"

/**
 * What a module says to people by itself.
 * @param {string} source @returns {string[]}
 */
export function saidBy(source) {
  return literals(source).flatMap(({ kind, text, before, attribute }) => {
    if (kind === "html") return saidByHTML(text);
    if (UNSAID.has(attribute)) return [];
    if (/\b(?:import|from|new (?:Event|CustomEvent|DOMException|Error)\(|console\.\w+\(|\.key ===) ?$/.test(before)) return [];
    const said = kind === "template" ? text.split(HOLE) : [text];
    return said.filter((one) => SENTENCE.test(one) || ALONE.test(one) || (kind === "template" && /\p{L}{3,} $|^ \p{L}{2,}/u.test(one)));
  });
}

/**
 * Keys that are named whole, and the beginnings and ends of those that are put together.
 * @param {string} source @returns {Record<"ids" | "starts" | "ends", string[]>}
 */
export function keysIn(source) {
  const found = { ids: [], starts: [], ends: [] };
  for (const { kind, text, before } of literals(source)) {
    if (kind === "string" && /^[a-z]\w*(?:\.\w+)+$/.test(text)) found.ids.push(text);
    if (kind === "string" && /\b(?:sayIf|spoken)\((?:[^,]* \? "" : |[^,]* \? |)$/.test(before)) found.starts.push(`${text}.`);
    if (kind === "template" && /^[a-z]\w*\.[\w.]*\u0001/.test(text)) found.starts.push(text.split(HOLE)[0]);
    if (kind === "template" && /^\u0001_\w+$/.test(text)) found.ends.push(text.slice(1));
  }
  return found;
}
