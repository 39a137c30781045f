import { readFileSync } from "node:fs";

/** The cases of one file that the kit shares. @param {string} name */
export const cases = (name) => JSON.parse(readFileSync(new URL(`../../Fixtures/lately/${name}.json`, import.meta.url), "utf8"));
