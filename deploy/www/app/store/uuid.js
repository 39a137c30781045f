/**
 * A UUIDv7: by its first 48 bits, ids are in the order in which they were made.
 * @param {number} now milliseconds
 */
export function uuid(now = Date.now()) {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  for (let index = 0; index < 6; index += 1) {
    bytes[index] = Math.floor(now / 2 ** (40 - 8 * index)) % 256;
  }
  bytes[6] = (bytes[6] & 0x0f) | 0x70;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/**
 * Whether an id is one that an import made, of version 8: what people log has ids by time, version 7.
 * @param {string | undefined} id
 */
export const isImported = (id) => id?.[14] === "8";
