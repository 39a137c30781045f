// Dates and times in a zone that this browser may not know.

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
