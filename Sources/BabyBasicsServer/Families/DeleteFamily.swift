import BabyBasicsAPI
import Postgres

/// Deletes a family and everything in it. The audit log stays.
func deleteFamily(_ context: RequestContext, membership: FamilyMembership) throws -> Reply<Empty> {
    let family = membership.family
    if family.sharingPolicy.rules.onlyOwnerManages, family.ownerId != membership.caller.userID {
        throw APIError(.forbidden, "Only the owner can delete the family")
    }
    try context.ifMatch().require(family.revision)
    let database = try context.database
    try database.buryEvents(where: "family_id = \(family.id)", at: context.now)
    try database.execute(
        """
        insert into tombstones (family_id, entity, entity_id, deleted_at)
        select family_id, 'child', id, \(context.now) from children where family_id = \(family.id)
        """)
    try database.bury("family", family.id.uuid, of: family.id, revision: nil, at: context.now)
    try database.execute("delete from families where id = \(family.id)")
    var changes = AuditChanges.none
    changes.note("name", from: family.name, to: nil)
    try context.audit(
        .delete, .family, family.id.uuid, by: membership.caller.userID, family: family.id,
        changes: changes)
    return .nothing
}
