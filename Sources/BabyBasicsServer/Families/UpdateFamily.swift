import BabyBasicsAPI
import Postgres

/// Renames a family. Its children show its name, so that they change with it.
func updateFamily(_ context: RequestContext, membership: FamilyMembership) async throws
    -> Reply<FamilyAnswer>
{
    let fields = try context.fields()
    let name = try fields.all(fields.kept("name", .name))
    let ifMatch = try context.ifMatch()
    var family = membership.family
    try ifMatch.require(family.revision)
    guard let name, name != family.name else {
        return Reply(FamilyAnswer(family: family), revision: family.revision)
    }
    var changes = AuditChanges.none
    changes.note("name", from: family.name, to: name)
    let database = context.database
    family.name = name
    family.updatedAt = context.now
    family.revision = try context.takeRevisions(of: family.id)
    try database.enqueue(
        """
        update families set name = \(name), updated_at = \(context.now), revision = \(family.revision)
        where id = \(family.id)
        """)
    try await database.renumber("children", of: family.id)
    try await context.audit(
        .update, .family, family.id.uuid, by: membership.caller.userID, family: family.id,
        changes: changes)
    return Reply(FamilyAnswer(family: family), revision: family.revision)
}
