// Has the modules under test speak English: imported before them.

import { readFileSync } from "node:fs";
import { useCatalog } from "../../../deploy/www/app/words.js";

export const english = JSON.parse(readFileSync(new URL("../../../deploy/www/app/words/en.json", import.meta.url), "utf8")).app;
useCatalog("en", english);
