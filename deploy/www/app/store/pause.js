// Waiting: after failures for longer each time, never in step with other devices, and not a moment longer than needed.

/**
 * Milliseconds to wait after so many failures in a row.
 * @param {number} failures
 * @param {number} [retryAfter] seconds that the server asks for
 */
export function backoff(failures, retryAfter = 0) {
  const most = Math.min(60_000, 1_000 * 2 ** Math.min(failures, 6));
  const jitter = most / 2 + (Math.random() * most) / 2;
  return retryAfter > 0 ? retryAfter * 1_000 + Math.random() * 1_000 : jitter;
}

/**
 * Ends after a time, when the signal aborts, or at one of the events.
 * @param {number} milliseconds @param {AbortSignal} signal @param {[EventTarget, string][]} [events]
 */
export const pause = (milliseconds, signal, events = []) =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      for (const [target, name] of events) target.removeEventListener(name, end);
      resolve(undefined);
    };
    const timer = setTimeout(end, milliseconds);
    if (signal.aborted) return end();
    signal.addEventListener("abort", end);
    for (const [target, name] of events) target.addEventListener(name, end);
  });
