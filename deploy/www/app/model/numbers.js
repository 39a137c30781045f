// Numbers as people and files write them: 3.5 and 3,5, 1.125,5 and 1 125.5, in whatever digits.

// The zeros of digits that keyboards have beside 0–9: Arabic, Persian, Devanagari, Bengali, full width.
const ZEROS = [0x0660, 0x06f0, 0x0966, 0x09e6, 0xff10];

/** @param {string} text */
const inOurDigits = (text) =>
  text.replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\uff10-\uff19]/g, (digit) => {
    const code = digit.charCodeAt(0);
    return String(code - Number(ZEROS.find((zero) => code - zero >= 0 && code - zero < 10)));
  }).replace(/[\u066b\u201a\uff0c]/g, ",").replace(/\uff0e/g, ".").replace(/[\u066c\u2019\uff07]/g, "'").replace(/\u2212/g, "-");

const THOUSANDS = /^\d{1,3}([.,' ])\d{3}(?:\1\d{3})*$/;

/**
 * What a text may mean: no number where it is none, two where it can be read two ways (1,250 is one and a quarter or
 * twelve hundred and fifty).
 * @param {string} text @returns {number[]} the one with decimals first
 */
export function readings(text) {
  const plain = inOurDigits(text).trim().replace(/\s/g, " ");
  const [, sign, digits] = /^([+-]?) ?([\d.,' ]*\d[.,]?)$/.exec(plain) ?? [];
  if (!digits) return [];
  const mark = digits.search(/[.,](?!.*[.,])/);
  const whole = mark < 0 ? digits : digits.slice(0, mark);
  const fraction = mark < 0 ? "" : digits.slice(mark + 1);
  const found = [];
  // The last mark as that of the decimals: those before it stand between thousands, and are others.
  const isPlain = /^\d*$/.test(whole);
  if (/^\d*$/.test(fraction) && (isPlain || (THOUSANDS.test(whole) && (mark < 0 || !whole.includes(digits[mark]))))) {
    found.push(Number(`${whole.replace(/\D/g, "") || 0}.${fraction || 0}`));
  }
  // The same mark as one between thousands; a number doesn't begin with 0 then.
  if (mark >= 0 && THOUSANDS.test(digits) && !digits.startsWith("0")) found.push(Number(digits.replace(/\D/g, "")));
  return found.map((value) => sign === "-" ? -value : value);
}

/**
 * The readings that can be meant: of two, those between `least` and `most`, if there are any.
 * @param {string} text @param {number} least @param {number} most
 */
export function readNumber(text, least, most) {
  const found = readings(text);
  const likely = found.filter((value) => value >= least && value <= most);
  return likely.length ? likely : found.slice(0, 1);
}
