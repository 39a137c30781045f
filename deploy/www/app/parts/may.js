// What a person may do in a family, by role and policy. The server decides; this decides which buttons there are.

/** @param {import("../store/types").StoredFamily} family @param {string} me */
export function may(family, me) {
  const isParent = family.role === "parent";
  const isOwner = family.owner_id === me;
  const isCoParent = family.sharing_policy === "co_parent";
  const decides = isCoParent ? isOwner : isParent;
  return {
    log: family.role !== "viewer",
    manage: isParent,
    invite: decides && !(isCoParent && family.members.filter((one) => one.role === "parent").length >= 2),
    delete: decides,
    isOwner,
    /** @param {import("../store/types").StoredMember} person */
    changeMember: (person) => decides && person.user_id !== me && !(isCoParent && person.is_owner),
    roles: isCoParent ? ["parent"] : ["parent", "caregiver", "viewer"],
  };
}
