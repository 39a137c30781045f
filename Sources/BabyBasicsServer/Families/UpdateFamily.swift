import BabyBasicsAPI
import FoundationEssentials
import Postgres

/// Renames a family. Its children show its name, so that they change with it.
func updateFamily(_ context: RequestContext, membership: FamilyMembership) async throws
    -> Reply<FamilyAnswer>
{
    let fields = try context.fields()
    let (name, ifMatch) = try fields.all(fields.kept("name", .name), context.ifMatch(beside: fields))
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
    family.revision = try database.takeRevisions(of: family.id)
    try database.enqueue(
        """
        update families set name = \(name), updated_at = \(context.now), revision = \(family.revision)
        where id = \(family.id)
        """)
    try await database.renumberChildren(of: family.id)
    try await context.audit(
        .update, .family, family.id.uuid, by: membership.caller.userID, family: family.id,
        changes: changes)
    return Reply(FamilyAnswer(family: family), revision: family.revision)
}

extension Database {
    /// Gives the children of a family that this transaction has locked numbers of their own, in the order of those they had.
    fileprivate func renumberChildren(of family: FamilyID) async throws {
        let children = try await rows("select id from children where family_id = \(family) order by revision") {
            try $0.next(UUID.self)
        }
        guard !children.isEmpty else { return }
        try enqueue(
            """
            update children c set revision = \(takeRevisions(children.count, of: family)) - 1 + given.number
            from unnest(\(children)) with ordinality as given (id, number)
            where c.family_id = \(family) and c.id = given.id
            """)
    }
}
