// Whose store this is, as the server says.

import { accountOf, setAccount } from "../store/account.js";
import { get } from "./api.js";

/** @typedef {import("../store/store.js").Store} Store */

/**
 * Takes over what the server answered, and has the screens drawn again.
 * @param {Store} store @param {import("../types/api").User} user
 */
export async function keepAccount(store, user) {
  store.account = accountOf(user);
  setAccount(store.account);
  await store.write(["meta"], async () => {});
}

/** @param {Store} store */
export const readAccount = async (store) => keepAccount(store, (await get("/users/me")).user);
