// The time as the server has it. A device's clock may be wrong by an hour; what is logged "now" must still be now for everyone.

import { remember, remembered } from "./account.js";

const KEY = "clock";
const TOLERATED = 60_000; // within it the device's own clock holds

/** Milliseconds from the device's clock to the server's. */
let offset = Number(remembered(KEY)) || 0;

export const clock = {
  now: () => Date.now() + offset,
  offset: () => offset,

  /** @param {string | null} date the answer's Date header @param {number} sentAt by the device's clock */
  learn(date, sentAt) {
    const server = Date.parse(date ?? "");
    const arrived = Date.now();
    if (!server || arrived - sentAt > 5_000) return; // an answer that was held tells nothing
    const difference = server + 500 - (sentAt + arrived) / 2;
    const next = Math.abs(difference) > TOLERATED ? Math.round(difference / 1000) * 1000 : 0;
    if (Math.abs(next - offset) < 2_000) return;
    offset = next;
    remember(KEY, next);
    dispatchEvent(new Event("clock"));
  },
};

export const now = clock.now;
/** @param {number} [time] */
export const timestamp = (time = now()) => new Date(time).toISOString();
