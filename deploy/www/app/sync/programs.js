// Other programs: tokens by which they act for a person, and webhooks by which they hear of a family.

import { del, get, patch, post } from "./api.js";

/** @typedef {import("../types/api").ProgramToken} Token */
/** @typedef {import("../types/api").Webhook} Webhook */
/** @typedef {import("../types/api").WebhookDelivery} Delivery */
/** @template Of @typedef {Of & {secret: string}} Issued which is told once */

/**
 * What is gone already is as good.
 * @param {any} error
 */
const isGone = (error) => error.status === 404 || Promise.reject(error);

/** @returns {Promise<Token[]>} */
export const tokens = async () => (await get("/users/me/tokens")).tokens;
/** @param {import("../types/api").NewProgramToken} token @returns {Promise<Issued<Token>>} */
export const createToken = async (token) => (await post("/users/me/tokens", token)).body.token;
/** @param {string} id */
export const endToken = (id) => del(`/users/me/tokens/${id}`).catch(isGone);

/** @param {string} family */
const hooksOf = (family) => `/families/${family}/webhooks`;

/** @param {string} family @returns {Promise<Webhook[]>} */
export const webhooks = async (family) => (await get(hooksOf(family))).webhooks;
/** @param {string} family @param {import("../types/api").NewWebhook} hook @returns {Promise<Issued<Webhook>>} */
export const createWebhook = async (family, hook) => (await post(hooksOf(family), hook)).body.webhook;
/** @param {string} family @param {string} id @param {{active: boolean}} change @returns {Promise<Webhook>} */
export const changeWebhook = async (family, id, change) => (await patch(`${hooksOf(family)}/${id}`, change)).body.webhook;
/** @param {string} family @param {string} id */
export const removeWebhook = (family, id) => del(`${hooksOf(family)}/${id}`).catch(isGone);

/** @param {string} family @param {string} id @returns {Promise<Delivery[]>} */
export const deliveries = async (family, id) => (await get(`${hooksOf(family)}/${id}/deliveries`)).deliveries;
/** @param {string} family @param {string} hook @param {string} id @returns {Promise<Delivery>} */
export const sendAgain = async (family, hook, id) =>
  (await post(`${hooksOf(family)}/${hook}/deliveries/${id}/retry`, {})).body.delivery;
