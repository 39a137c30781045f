// What the app counts on in the server's answers. Checked by tsc against types made from the server's OpenAPI document; never run.

/** @typedef {import("./app/types/api")} API */

/** @param {import("./app/types/api").ChangeList} list @param {import("./app/types/api").User} user @param {import("./app/types/api").FamilySummary} family */
export function counted(list, user, family) {
  return [
    list.changes, list.next_since, list.has_more, user.id, user.email, user.name, user.timezone, user.day_start_time,
    family.id, family.name, family.role, family.owner_id, family.sharing_policy, family.revision, family.created_at,
  ];
}

/** @param {import("./app/types/api").Member} member @param {import("./app/types/api").Invite} invite @param {import("./app/types/api").OpenInvite} open */
export const people = (member, invite, open) => [
  member.user_id, member.name, member.email, member.role, member.joined_at, member.is_owner,
  invite.id, invite.join_url, invite.role, invite.expires_at, open.created_by.name, open.expires_at,
];

/** @param {import("./app/types/api").AuditEntry} entry */
export const history = (entry) => [entry.user, entry.entity_type, entry.entity_id, entry.action, entry.changes, entry.created_at];

/** @param {import("./app/types/api").Feeding} feeding @param {import("./app/types/api").Diaper} diaper @param {import("./app/types/api").Sleep} sleep @param {import("./app/types/api").Note} note */
export const events = (feeding, diaper, sleep, note) => [
  feeding.id, feeding.child_id, feeding.type, feeding.started_at, feeding.created_by, feeding.revision, feeding.updated_at,
  diaper.type, diaper.occurred_at, sleep.type, sleep.started_at, sleep.ended_at, note.content, note.occurred_at,
];
