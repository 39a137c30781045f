// What the server can, as it said last: kept on the device, so that no screen waits for it.

import { remember, remembered } from "./account.js";

/**
 * `registration`: `open`, or by `invite` alone. `support`: how to reach whoever runs it, in their words. `push_key`: what
 * it signs notifications with; null where it sends none.
 * @typedef {{registration: string, mail: boolean, support: string | null, push_key: string | null}} ServerFacts
 */

/** One that doesn't say: from before there was mail. @type {ServerFacts} */
export const OLDER = { registration: "open", mail: false, support: null, push_key: null };

/** @type {ServerFacts | null} */
let known = remembered("server");

export const heard = new EventTarget();

/** @returns {ServerFacts | null} null: it has said nothing here yet */
export const server = () => known;

/** @param {{registration: string, mail: boolean, support?: string | null, push_key?: string | null}} facts */
export function setServer({ registration, mail, support, push_key }) {
  known = { registration, mail: mail === true, support: support || null, push_key: push_key || null };
  remember("server", known);
  heard.dispatchEvent(new Event("heard"));
}
