import BabyBasicsAPI
import Postgres

/// Deletes a child and everything that was logged for it.
func deleteChild(_ context: RequestContext, membership: ChildMembership) async throws -> Reply<Empty> {
    let child = membership.child
    try context.ifMatch().require(child.revision)
    let database = context.database
    try database.bury(
        "child", child.id.uuid, of: child.familyId, revision: database.takeRevisions(of: child.familyId),
        at: context.now)
    try database.enqueue("delete from children where id = \(child.id)")
    var changes = AuditChanges.none
    changes.note("name", from: child.name, to: nil)
    changes.note("date_of_birth", from: child.dateOfBirth, to: nil)
    try await context.audit(
        .delete, .child, child.id.uuid, by: membership.caller.userID, family: child.familyId,
        changes: changes)
    return .nothing
}
