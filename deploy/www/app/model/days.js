// Days as a person's clocks have them: dates are "YYYY-MM-DD", moments are milliseconds since 1970.

const DAY = 86_400_000;
/** @type {Map<string, Intl.DateTimeFormat>} */
const formats = new Map();

/**
 * A format in a zone. Of a zone newer than this browser, the device's own is most likely the same.
 * @param {string} zone @param {string} language @param {Intl.DateTimeFormatOptions} fields
 */
export function formatIn(zone, language, fields) {
  try {
    return new Intl.DateTimeFormat(language, { ...fields, timeZone: zone });
  } catch {
    return new Intl.DateTimeFormat(language, fields);
  }
}

/** @param {string} zone */
function clock(zone) {
  let format = formats.get(zone);
  if (!format) {
    format = formatIn(zone, "en-US", {
      hourCycle: "h23", era: "short", year: "numeric", month: "numeric", day: "numeric",
      hour: "numeric", minute: "numeric", second: "numeric",
    });
    formats.set(zone, format);
  }
  return format;
}

/**
 * How far a zone's clocks are ahead of UTC, as the browser knows it.
 * @param {number} moment @param {string} zone
 */
function askOffset(moment, zone) {
  /** @type {Record<string, string>} */
  const shown = {};
  for (const part of clock(zone).formatToParts(moment)) shown[part.type] = part.value;
  const { era, year, month, day, hour, minute, second } = shown;
  const date = [era === "BC" ? 1 - Number(year) : Number(year), Number(month) - 1, Number(day)];
  const time = Date.UTC(date[0], date[1], date[2], Number(hour), Number(minute), Number(second));
  return time - Math.floor(moment / 1000) * 1000;
}

/** Of each zone: the offset of each day of UTC on which it doesn't change. Asking the browser each time is slow. */
const offsets = new Map();

/** @param {number} moment @param {string} zone @returns {number} */
function offsetAt(moment, zone) {
  let days = offsets.get(zone);
  if (!days) offsets.set(zone, days = new Map());
  const day = Math.floor(moment / DAY);
  let offset = days.get(day);
  if (offset === undefined) {
    const first = askOffset(day * DAY, zone);
    offset = first === askOffset((day + 1) * DAY, zone) ? first : null;
    days.set(day, offset);
  }
  return offset ?? askOffset(moment, zone);
}

/**
 * What the clocks of a zone show, as if it were UTC.
 * @param {number} moment
 * @param {string} zone
 */
export const clockTime = (moment, zone) => moment + offsetAt(moment, zone);

/**
 * The moment at which a zone's clocks show a time, given as if it were UTC. As PostgreSQL's AT TIME ZONE does it:
 * a time that comes twice is the second one, one that is skipped is read with the offset before the gap.
 * @param {number} shown
 * @param {string} zone
 */
export const momentOf = (shown, zone) => Math.max(...momentsOf(shown, zone));

/**
 * All moments that may be meant by a time: two in the hour that clocks repeat and in the one that they skip.
 * @param {number} shown @param {string} zone
 */
export function momentsOf(shown, zone) {
  const candidates = [...new Set([shown - DAY, shown + DAY].map((near) => shown - (clockTime(near, zone) - near)))];
  const right = candidates.filter((moment) => clockTime(moment, zone) === shown);
  return right.length ? right : candidates;
}

/**
 * Of the moments that a start and an end may mean, those with the shortest length; of two as short the later ones, null
 * where each end is before each start.
 * @param {number[]} starts @param {number[]} ends @returns {[start: number, end: number] | null}
 */
export function shortest(starts, ends) {
  const pairs = starts.flatMap((start) => ends.map((end) => /** @type {[number, number]} */ ([start, end])));
  const sorted = pairs.filter(([start, end]) => end >= start).sort((one, other) => one[1] - one[0] - (other[1] - other[0]) || other[0] - one[0]);
  return sorted[0] ?? null;
}

/** @param {string} date */
const midnight = (date) => Date.parse(`${date}T00:00:00Z`);

/**
 * @param {string} date
 * @param {number} days
 */
export const addDays = (date, days) => new Date(midnight(date) + days * DAY).toISOString().slice(0, 10);

/**
 * How many days after `from` the date `to` comes.
 * @param {string} from @param {string} to
 */
export const daysBetween = (from, to) => Math.round((midnight(to) - midnight(from)) / DAY);

/**
 * When a date begins for someone whose day starts at `dayStart`, "HH:MM".
 * @param {string} date
 * @param {{timezone: string, dayStart: string}} person
 */
export function beginOf(date, { timezone, dayStart }) {
  const [hours, minutes] = dayStart.split(":").map(Number);
  return momentOf(midnight(date) + (hours * 60 + minutes) * 60_000, timezone);
}

/**
 * The date of a moment: the last one that has begun. At 03:00, with days that start at 07:00, that is yesterday's.
 * @param {number} moment
 * @param {{timezone: string, dayStart: string}} person
 */
export function dateOf(moment, person) {
  let date = new Date(clockTime(moment, person.timezone) + DAY).toISOString().slice(0, 10);
  while (beginOf(date, person) > moment) date = addDays(date, -1);
  return date;
}

/**
 * Where each of `count` days begins, oldest first, and where the last one, `date`, ends.
 * @param {string} date
 * @param {number} count
 * @param {{timezone: string, dayStart: string}} person
 */
export function edgesOf(date, count, person) {
  return Array.from({ length: count + 1 }, (_, place) => beginOf(addDays(date, place - count + 1), person));
}
