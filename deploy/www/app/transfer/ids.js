// Ids made from what is imported: the same row of the same source has the same id in the same family, whatever it is
// taken for. So importing again adds nothing, and with other answers it changes what is there.

/**
 * JSON whose members are in order, without what is empty.
 * @param {any} value @returns {string}
 */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.keys(value).sort().filter((key) => value[key] !== null && value[key] !== undefined);
  return `{${members.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}

/**
 * A UUIDv8 of a text: the first bits of its SHA-256.
 * @param {string} text
 */
export async function uuidOf(text) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const bytes = new Uint8Array(digest, 0, 16);
  bytes[6] = (bytes[6] & 0x0f) | 0x80;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/**
 * Ids of things that are named by what they come from. Those that are alike in that are told apart by their number:
 * both wet diapers of 8:00 come in, and stay two.
 * @param {any[]} sources
 */
export function idsOf(sources) {
  /** @type {Map<string, number>} */
  const seen = new Map();
  return Promise.all(sources.map((source) => {
    const text = canonical(source);
    const count = (seen.get(text) ?? 0) + 1;
    seen.set(text, count);
    return uuidOf(count === 1 ? text : `${text}#${count}`);
  }));
}
