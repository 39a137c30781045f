// An invitation that is waiting in this browser, accepted as soon as there is somebody to accept it.

import { pendingInvite, recallInvite, setAsideInvite, setPendingInvite } from "../store/account.js";
import { server } from "../store/server.js";
import { texts } from "../parts/text.js";
import { post, Refusal } from "./api.js";
import { pull } from "./feed.js";
import { readServer } from "./server.js";

/** @typedef {import("../store/store.js").Store} Store */

/**
 * Takes the invitation, if there is one. Without an answer it stays, for the next time.
 * @param {Store} store
 */
export async function acceptPending(store) {
  recallInvite(store.account);
  const token = pendingInvite();
  if (!token) return;
  try {
    /** @type {{body: import("../types/api").Joined}} */
    const { body } = await post("/invites/accept", { token });
    setPendingInvite(null);
    await joined(store, body.family);
  } catch (error) {
    if (!(error instanceof Refusal) || error.passes || error.status === 401) throw error;
    setPendingInvite(null);
    const isUnverified = error.status === 404 && store.account.email_verified === false;
    if (isUnverified && !server()) await readServer();
    const mayVerify = isUnverified && server()?.mail === true;
    if (mayVerify) setAsideInvite(token, store.account);
    await store.notify({ kind: "invite", text: mayVerify ? texts.inviteUnverified : texts.inviteRefused(error) });
  }
}

/** @param {Store} store @param {import("../types/api").Joined["family"]} family */
async function joined(store, family) {
  await store.write(["families", "meta", "notices"], async (table) => {
    table("families").put({ created_at: new Date().toISOString(), ...family });
    table("meta").put(family.id, "activeFamilyId");
    table("meta").put(true, "familiesKnown");
    table("notices").add({ kind: "joined", text: texts.joined(family.name) });
  });
  await pull(store, family.id);
}
