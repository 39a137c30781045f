// What is done to a family and its people: asked of the server at once, and then read from the feed like everybody else's changes.

import { answer } from "../store/database.js";
import { feedStores } from "../store/apply.js";
import { difference } from "../store/merge.js";
import { uuid } from "../store/uuid.js";
import { call, del, get, patch, post, Refusal } from "./api.js";
import { leaveBehind, pull } from "./feed.js";

/** @typedef {import("../store/store.js").Store} Store */

/**
 * An id is kept until what it is for is made: pressing twice, or again after a lost answer, makes one. If it is here by
 * now and has another name, this is another one.
 * @param {Store} store
 * @param {string} purpose
 * @param {"families" | "children"} where
 * @param {string} name
 */
async function idFor(store, purpose, where, name) {
  return store.write(["meta", where], async (table) => {
    const kept = await answer(table("meta").get(purpose));
    const known = kept && (await answer(table(where).get(kept)));
    const id = !kept || (known && known.name !== name) ? uuid() : kept;
    table("meta").put(id, purpose);
    return id;
  });
}

/**
 * Makes it, or finds what an earlier try made and gives it these fields.
 * @param {Store} store
 * @param {"family" | "child"} kind
 * @param {string} purpose
 * @param {string} path
 * @param {{name: string} & Record<string, string>} fields
 * @returns {Promise<any>}
 */
async function make(store, kind, purpose, path, fields) {
  const where = kind === "family" ? "families" : "children";
  const id = await idFor(store, purpose, where, fields.name);
  try {
    const { status, body } = await post(path, { id, ...fields });
    const corrected = difference(body[kind], fields, ["name", "date_of_birth"]);
    if (status !== 200 || !Object.keys(corrected).length) return body[kind];
    return (await patch(`/${where}/${id}`, corrected)).body[kind];
  } catch (error) {
    const isDeleted = error instanceof Refusal && error.status === 409 && error.details.some(({ field }) => field === "id");
    if (!isDeleted) throw error;
    await store.writeUnseen(["meta"], async (table) => {
      table("meta").delete(purpose);
    });
    return make(store, kind, purpose, path, fields);
  }
}

/** @param {Store} store @param {string} name @param {string} [policy] */
const makeFamily = (store, name, policy) =>
  make(store, "family", "new-family", "/families", { name, ...(policy && { sharing_policy: policy }) });

/** @param {Store} store @param {string} family @param {{name: string, date_of_birth: string}} fields */
const makeChild = (store, family, fields) =>
  make(store, "child", `new-child:${family}`, `/families/${family}/children`, fields);

/**
 * The set-up: a family and a child, or nothing that a second press would double.
 * @param {Store} store
 * @param {string} familyName
 * @param {{name: string, date_of_birth: string}} child
 */
export async function setUp(store, familyName, child) {
  const family = await makeFamily(store, familyName);
  const made = await makeChild(store, family.id, child);
  await show(store, family, made);
}

/** @param {Store} store @param {{id: string}} family @param {{id: string}} [child] */
async function show(store, family, child) {
  await store.write(feedStores, async (table) => {
    table("families").put({ ...(await answer(table("families").get(family.id))), role: "parent", ...family });
    if (child) table("children").put(child);
    table("meta").put(family.id, "activeFamilyId");
    if (child) table("meta").put(child.id, "activeChildId");
    table("meta").delete("new-family");
    table("meta").delete(`new-child:${family.id}`);
  });
  await pull(store, family.id).catch(() => {}); // the feed will bring it
}

/** @param {Store} store @param {string} name @param {string} policy */
export const createFamily = async (store, name, policy) => show(store, await makeFamily(store, name, policy));

/** @param {Store} store @param {import("../store/types").StoredFamily} family @param {{name: string, date_of_birth: string}} fields */
export async function addChild(store, family, fields) {
  await show(store, family, await makeChild(store, family.id, fields));
}

/**
 * Asks, then reads what has become of the family.
 * @param {Store} store
 * @param {string} family
 * @param {() => Promise<any>} ask
 */
async function change(store, family, ask) {
  const answered = await ask();
  await pull(store, family);
  return answered;
}

/** @param {Store} store @param {import("../store/types").StoredFamily} family @param {string} name */
export const renameFamily = (store, family, name) =>
  change(store, family.id, () => call("PATCH", `/families/${family.id}`, { body: { name }, ifMatch: family.revision }));

/** @param {Store} store @param {import("../store/types").StoredChild} child @param {import("../types/api").ChildChanges} fields */
export const editChild = (store, child, fields) =>
  change(store, child.family_id, () => call("PATCH", `/children/${child.id}`, { body: fields, ifMatch: child.revision }));

/** @param {Store} store @param {import("../store/types").StoredChild} child */
export const deleteChild = (store, child) => change(store, child.family_id, () => del(`/children/${child.id}`));

/** @param {Store} store @param {string} family @param {string} user */
export const removeMember = (store, family, user) => change(store, family, () => del(`/families/${family}/members/${user}`));

/** @param {Store} store @param {string} family @param {string} user @param {import("../types/api").MemberChanges} changes */
export const changeMember = (store, family, user, changes) =>
  change(store, family, () => patch(`/families/${family}/members/${user}`, changes));

/** @param {Store} store @param {string} family @param {string} user */
export const transfer = (store, family, user) => change(store, family, () => post(`/families/${family}/transfer`, { user_id: user }));

/** @param {Store} store @param {import("../store/types").StoredFamily} family */
export async function leaveFamily(store, family) {
  await post(`/families/${family.id}/leave`, {});
  await forget(store, family);
}

/** @param {Store} store @param {import("../store/types").StoredFamily} family */
export async function deleteFamily(store, family) {
  await del(`/families/${family.id}`);
  await forget(store, family);
}

/** @param {Store} store @param {import("../store/types").StoredFamily} family */
async function forget(store, family) {
  await leaveBehind(store, family.id);
  const notice = store.snapshot.notices.filter(({ kind }) => kind === "family-gone").at(-1);
  if (notice && !notice.unsent?.length) await store.dismiss(notice.key); // who leaves knows
}

/** @param {string} family @param {import("../types/api").NewInvite} invite @returns {Promise<import("../types/api").Invite>} */
export const createInvite = async (family, invite) => (await post(`/families/${family}/invites`, invite)).body.invite;
/** @param {string} family @returns {Promise<import("../types/api").OpenInvite[]>} */
export const openInvites = async (family) => (await get(`/families/${family}/invites`)).invites;
/** @param {string} family @param {string} id */
export const revokeInvite = (family, id) => del(`/families/${family}/invites/${id}`);
