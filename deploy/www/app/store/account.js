// What this browser remembers outside the stores: whose it is, how it looks, and an invitation that waits. Never a session's token: that is
// in a cookie that scripts can't read.

/**
 * `email_verified` and `language` are absent where the server doesn't say.
 * @typedef {{id: string, email: string, email_verified?: boolean, name: string, timezone: string, day_start_time: string, language?: string,
 *   signedOut?: boolean}} Account
 */

/** @param {string} key */
export function remembered(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** @param {string} key @param {any} value null forgets it */
export function remember(key, value) {
  try {
    if (value === null) {
      localStorage.removeItem(key);
    } else {
      localStorage.setItem(key, JSON.stringify(value));
    }
  } catch {
    // A browser that keeps nothing says so when the store is opened.
  }
}

/** @returns {Account | null} */
export const account = () => remembered("account");
/** @param {Account | null} value */
export function setAccount(value) {
  remember("account", value);
  if (!value) remember("inviteToVerify", null);
}

/**
 * What is kept of what the server says of a user.
 * @param {Account} user @returns {Account}
 */
export const accountOf = ({ id, email, email_verified, name, timezone, day_start_time, language }) => ({
  id, email, ...(email_verified !== undefined && { email_verified }), name, timezone, day_start_time, ...(language && { language }),
});

/** Whether a sign-out has not reached the server yet. */
export const isLeaving = () => remembered("leaving") === true;
/** @param {boolean} value */
export const setLeaving = (value) => remember("leaving", value || null);

const DAY = 86_400_000;

/**
 * The token of an invitation that is waiting for its person, up to 30 days.
 * @returns {string | null}
 */
export function pendingInvite() {
  const kept = remembered("pendingInviteToken");
  if (kept && !(Date.now() - kept.at < 30 * DAY)) {
    remember("pendingInviteToken", null);
    return null;
  }
  return kept ? kept.token : null;
}
/** @param {string | null} token */
export const setPendingInvite = (token) => remember("pendingInviteToken", token && { token, at: Date.now() });

/**
 * An invitation may be for an address that its person has not confirmed yet: it is tried again once they have.
 * @param {string} token @param {Account} person
 */
export const setAsideInvite = (token, person) => remember("inviteToVerify", { token, id: person.id });
/** @param {Account} person */
export function recallInvite(person) {
  const kept = remembered("inviteToVerify");
  if (kept?.id !== person.id || !person.email_verified) return;
  remember("inviteToVerify", null);
  if (pendingInvite() === null) setPendingInvite(kept.token);
}

const TOKEN = /(?:^|\/(?:join|invite)\/)([A-Za-z0-9_-]{22}|[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})(?![A-Za-z0-9_-])/;

/**
 * Finds the token in a link as people paste it, with whatever is around it.
 * @param {string} text
 * @returns {string | null}
 */
export const tokenIn = (text) => TOKEN.exec(text.trim())?.[1] ?? null;

/**
 * `units` is from before each quantity had its own. `clock`: 12 or 24 hours, absent where the browser's own holds. `feeds`: what the count
 * since the last feed begins with. `cards`: of Today. `next`: false where what may come next is not said. `language`: where it is not the
 * account's.
 * @typedef {{look?: string, us?: string[], units?: string, clock?: string, feeds?: {solids?: boolean, fromEnd?: boolean}, next?: boolean,
 *   language?: string, cards?: {order?: string[], hidden?: string[]}}} Device
 */
/** @returns {Device} */
export const device = () => remembered("device") ?? {};
/** @param {Device} changes */
export function setDevice(changes) {
  remember("device", { ...device(), ...changes });
  look();
}

/** Gives the page its look: light, dark, night, or the system's. */
export function look() {
  document.documentElement.dataset.look = device().look ?? "auto";
}
