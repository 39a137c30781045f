// Notifications of this device. Who wants them is kept with the account: they go with a sign-out, and come back with the
// same person.

import { answer } from "../store/database.js";
import { isLeaving } from "../store/account.js";
import { server } from "../store/server.js";
import { explain, texts } from "../parts/text.js";
import { del, get, NoAnswer, post, Refusal } from "./api.js";

/** @typedef {import("../store/store.js").Store} Store */
/**
 * `device` and `endpoint`: its id at the server, and the subscription that the server has said it knows. `problem`: why it
 * would not.
 * @typedef {{isWanted: boolean, device?: string, endpoint?: string, problem?: string}} Kept
 */

const KEY = "push";

export const canPush = () => "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

/** On an iPhone or iPad, where only an app of the home screen is told. */
export const needsHomeScreen = () => /** @type {any} */ (navigator).standalone === false && !canPush();

/** @returns {NotificationPermission | "none"} */
export const permission = () => (canPush() ? Notification.permission : "none");

/** @param {Store} store @returns {Promise<Kept>} */
const kept = async (store) =>
  (await store.read(["meta"], (table) => answer(table("meta").get(KEY)))) ?? { isWanted: false };

/** @param {Store} store @param {Kept} value */
const keep = (store, value) =>
  store.write(["meta"], async (table) => {
    table("meta").put(value, KEY);
  });

/**
 * Keeps more of what is wanted, if it still is: who turned it off meanwhile has it off.
 * @param {Store} store @param {Omit<Kept, "isWanted">} more @returns {Promise<boolean>} whether it is
 */
const keepIfWanted = (store, more) =>
  store.write(["meta"], async (table) => {
    /** @type {Kept | undefined} */
    const known = await answer(table("meta").get(KEY));
    if (known?.isWanted) table("meta").put({ ...known, ...more }, KEY);
    return known?.isWanted === true;
  });

/**
 * Whether this device tells its person: `on` as soon as the server has said that it knows it, `waiting` until then.
 * @param {Store} store @returns {Promise<{state: "off" | "waiting" | "on", problem: string}>}
 */
export async function standing(store) {
  const { isWanted, endpoint, problem = "" } = await kept(store);
  if (!isWanted || permission() !== "granted") return { state: "off", problem: "" };
  const isKnown = endpoint !== undefined && (await subscribed())?.toJSON().endpoint === endpoint;
  return isKnown ? { state: "on", problem: "" } : { state: "waiting", problem };
}

/** @param {string} key base64url */
const bytes = (key) => Uint8Array.from(atob(key.replace(/-/g, "+").replace(/_/g, "/")), (one) => one.charCodeAt(0));

/** @param {PushSubscription} subscription @param {string} key */
function isOf({ options }, key) {
  const own = options?.applicationServerKey;
  return !own || new Uint8Array(own).join() === bytes(key).join();
}

/**
 * Asks for the permission, at the tap that it is for, and lets the server know this device.
 * @param {Store} store @returns {Promise<NotificationPermission>}
 */
export async function turnOn(store) {
  const answered = await Notification.requestPermission();
  if (answered !== "granted") return answered;
  const { device } = await kept(store);
  await keep(store, { isWanted: true });
  try {
    if (device) await drop(device); // of a subscription that has ended
    await keepSubscribed(store);
  } catch (error) {
    if (!(error instanceof Refusal) && !(error instanceof NoAnswer)) throw error;
    store.dispatchEvent(new Event("push")); // tried again until the server knows, which `standing` tells
  }
  return answered;
}

/** @param {Store} store */
export async function turnOff(store) {
  const { device } = await kept(store);
  if (device) await drop(device);
  await keep(store, { isWanted: false });
  await unsubscribe();
}

/** @param {string} device */
export const drop = (device) =>
  del(`/users/me/devices/${device}`).catch((error) => {
    if (!(error instanceof Refusal && error.status === 404)) throw error;
  });

/** @returns {Promise<any[]>} */
export const devices = async () => (await get("/users/me/devices")).devices;

async function subscribed() {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** Nothing is told here any more, and what was told is nobody's business who comes next. */
export async function unsubscribe() {
  const registration = await navigator.serviceWorker?.getRegistration();
  if (!registration) return;
  for (const one of (await registration.getNotifications?.()) ?? []) one.close();
  await (await registration.pushManager?.getSubscription())?.unsubscribe();
}

/**
 * It was removed on another device, or its session was ended: it stays off until its person turns it on.
 * @param {Store} store
 */
async function takeBack(store) {
  await keep(store, { isWanted: false });
  await unsubscribe();
  await store.notify({ kind: "push", text: texts.toldNoMore });
}

/**
 * Subscribes if that is wanted and allowed, anew if the server's key is another; takes away what somebody else left.
 * @param {Store} store
 */
export async function keepSubscribed(store) {
  if (!canPush() || isLeaving()) return;
  const { isWanted, device, endpoint: known } = await kept(store);
  const key = server()?.push_key;
  if (!isWanted) return (await subscribed()) && unsubscribe(); // what somebody else left
  if (!key || permission() !== "granted") return;
  if (device && !(await devices()).some(({ current }) => current)) return takeBack(store);
  const { pushManager } = await navigator.serviceWorker.ready;
  const before = await pushManager.getSubscription();
  const isOld = before !== null && !isOf(before, key);
  if (isOld) await before.unsubscribe();
  const subscription = (!isOld && before) ||
    (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) }));
  const { endpoint, keys } = subscription.toJSON();
  if (endpoint === known) return;
  try {
    const { id } = (await post("/users/me/devices", {
      type: "web_push", endpoint, keys, application_server_key: key,
    })).body.device;
    const isStill = await keepIfWanted(store, { device: id, endpoint, problem: undefined });
    if (!isStill) await drop(id);
    else if (device && device !== id) await drop(device);
  } catch (error) {
    await keepIfWanted(store, { problem: error instanceof Refusal && !error.passes ? explain(error) : undefined });
    throw error;
  }
}
