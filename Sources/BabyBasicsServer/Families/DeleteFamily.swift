import BabyBasicsAPI
import Postgres

/// Deletes a family and everything in it. The audit log stays.
func deleteFamily(_ context: RequestContext, membership: FamilyMembership) async throws -> Reply<Empty> {
    let family = membership.family
    try membership.requireManager(otherwise: "Only the owner can delete the family")
    try context.ifMatch().require(family.revision)
    try await context.delete(family, by: membership.caller.userID)
    return .nothing
}

extension RequestContext {
    /// Deletes a family that this transaction has locked.
    func delete(_ family: Family, by actor: UserID) async throws {
        try await database.requireEverybodyLocked(of: family.id)
        try database.enqueue(
            """
            insert into tombstones (family_id, entity, entity_id, deleted_at)
            select family_id, 'child', id, \(now) from children where family_id = \(family.id)
            """)
        try database.bury("family", family.id.uuid, of: family.id, revision: nil, at: now)
        try database.enqueue("delete from families where id = \(family.id)")
        var changes = AuditChanges.none
        changes.note("name", from: family.name, to: nil)
        try await audit(
            .delete, .family, family.id.uuid, by: actor, family: family.id, changes: changes)
    }
}
