// Requests to the server: an answer, a refusal that says why, or no answer at all. Nothing here decides what to do about it.

import { say } from "../words.js";
import { clock } from "../store/clock.js";

/** @typedef {import("../parts/problems.js").Detail} Detail */

/** The server's own no, with the contract's error. */
export class Refusal extends Error {
  /** @param {number} status @param {any} error @param {number} retryAfter seconds, 0 where none is named */
  constructor(status, error, retryAfter) {
    super(error?.message ?? say("problem.answered", { status }));
    this.status = status;
    /** @type {string} */
    this.code = error?.code ?? "";
    /** @type {Detail[]} */
    this.details = Array.isArray(error?.details) ? error.details : [];
    this.retryAfter = retryAfter;
  }
  /** Whether the same request may succeed later. */
  get passes() {
    return this.status === 429 || this.status >= 500;
  }
}

/** No network, no server, or an answer that never came: what was asked may have happened all the same. */
export class NoAnswer extends Error {}

/**
 * @param {"GET" | "POST" | "PATCH" | "PUT" | "DELETE"} method
 * @param {string} path below /api/v1
 * @param {{body?: any, ifMatch?: number, signal?: AbortSignal, seconds?: number}} options
 * @returns {Promise<{status: number, body: any}>}
 */
export async function call(method, path, { body, ifMatch, signal, seconds = 20 } = {}) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (ifMatch) headers["If-Match"] = `"${ifMatch}"`;
  const limit = new AbortController();
  const stop = () => limit.abort();
  const timer = setTimeout(stop, seconds * 1000);
  signal?.addEventListener("abort", stop);
  const sentAt = Date.now();
  try {
    const response = await fetch(`/api/v1${path}`, {
      method, headers, body: body === undefined ? undefined : JSON.stringify(body),
      credentials: "same-origin", cache: "no-store", referrerPolicy: "no-referrer", signal: limit.signal,
    });
    clock.learn(response.headers.get("Date"), sentAt);
    const text = await response.text();
    const value = text ? JSON.parse(text) : null;
    if (response.ok) return { status: response.status, body: value };
    throw new Refusal(response.status, value?.error, Number(response.headers.get("Retry-After")) || 0);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new NoAnswer(String(error));
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

export const get = (/** @type {string} */ path, options = {}) => call("GET", path, options).then((answer) => answer.body);
export const post = (/** @type {string} */ path, /** @type {any} */ body, options = {}) => call("POST", path, { ...options, body });
export const patch = (/** @type {string} */ path, /** @type {any} */ body, options = {}) => call("PATCH", path, { ...options, body });
export const del = (/** @type {string} */ path, options = {}) => call("DELETE", path, options);
