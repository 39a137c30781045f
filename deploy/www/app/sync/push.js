// Notifications of this device. Who wants them is kept with the account: they go with a sign-out, and come back with the
// same person.

import { answer } from "../store/database.js";
import { isLeaving } from "../store/account.js";
import { server } from "../store/server.js";
import { del, get, post, Refusal } from "./api.js";

/** @typedef {import("../store/store.js").Store} Store */
/** @typedef {{isWanted: boolean, device?: string}} Kept `device`: its id at the server */

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

/** @param {Store} store */
export const isOn = async (store) => (await kept(store)).isWanted && permission() === "granted";

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
  await keep(store, { ...(await kept(store)), isWanted: true });
  said.delete(store);
  await keepSubscribed(store);
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

/** Nothing is told here any more, and what was told is nobody's business who comes next. */
export async function unsubscribe() {
  const registration = await navigator.serviceWorker?.getRegistration();
  if (!registration) return;
  for (const one of (await registration.getNotifications?.()) ?? []) one.close();
  await (await registration.pushManager?.getSubscription())?.unsubscribe();
}

/**
 * What each store's server knows already: endpoint and key.
 * @type {WeakMap<Store, string>}
 */
const said = new WeakMap();

/**
 * Subscribes if that is wanted and allowed, anew if the server's key is another; takes away what somebody else left.
 * @param {Store} store
 */
export async function keepSubscribed(store) {
  if (!canPush() || isLeaving()) return;
  const { isWanted, device } = await kept(store);
  const key = server()?.push_key;
  if (!isWanted) return unsubscribe();
  if (!key || permission() !== "granted") return;
  const { pushManager } = await navigator.serviceWorker.ready;
  const before = await pushManager.getSubscription();
  const isOld = before !== null && !isOf(before, key);
  if (isOld) await before.unsubscribe();
  const subscription = (!isOld && before) ||
    (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) }));
  const { endpoint, keys } = subscription.toJSON();
  if (said.get(store) === `${endpoint} ${key}`) return;
  const { body } = await post("/users/me/devices", { type: "web_push", endpoint, keys });
  if (device && device !== body.device.id) await drop(device);
  await keep(store, { isWanted, device: body.device.id });
  said.set(store, `${endpoint} ${key}`);
}
