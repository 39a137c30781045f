import BabyBasicsAPI
import Postgres

/// Changes what the body names of a child.
func updateChild(_ context: RequestContext, membership: ChildMembership) async throws
    -> Reply<ChildAnswer>
{
    let fields = try context.fields()
    fields.requireFamily(of: membership.child)
    let (name, dateOfBirth, ifMatch) = try fields.all(
        fields.kept("name", .name),
        fields.kept("date_of_birth", .dateOfBirth(today: context.now.utcDate)),
        context.ifMatch(beside: fields))
    return try await change(
        membership, ifMatch, name: name ?? membership.child.name,
        dateOfBirth: dateOfBirth ?? membership.child.dateOfBirth, context)
}

/// Replaces all that can be changed of a child.
func replaceChild(_ context: RequestContext, membership: ChildMembership) async throws
    -> Reply<ChildAnswer>
{
    let fields = try context.fields()
    fields.requireFamily(of: membership.child)
    let (name, dateOfBirth, ifMatch) = try fields.all(
        fields.required("name", .name),
        fields.required("date_of_birth", .dateOfBirth(today: context.now.utcDate)),
        context.ifMatch(beside: fields))
    return try await change(membership, ifMatch, name: name, dateOfBirth: dateOfBirth, context)
}

extension Fields {
    /// Notes a problem where the body names another family: a child stays in its own.
    fileprivate func requireFamily(of child: Child) {
        guard let named = kept("family_id", .identifier() as Rule<FamilyID>), let family = named else { return }
        if family != child.familyId { problem("family_id", "cannot be changed", .notAllowed) as Void? }
    }
}

private func change(
    _ membership: ChildMembership, _ ifMatch: IfMatch, name: String, dateOfBirth: CalendarDate,
    _ context: RequestContext
) async throws -> Reply<ChildAnswer> {
    var child = membership.child
    try ifMatch.require(child.revision)
    var changes = AuditChanges.none
    changes.note("name", from: child.name, to: name)
    changes.note("date_of_birth", from: child.dateOfBirth, to: dateOfBirth)
    let database = context.database
    guard !changes.isEmpty else {
        return Reply(ChildAnswer(child: child), revision: child.revision)
    }
    child.name = name
    child.dateOfBirth = dateOfBirth
    child.updatedAt = context.now
    child.revision = try database.takeRevisions(of: child.familyId)
    try database.enqueue(
        """
        update children set name = \(name), date_of_birth = \(dateOfBirth), updated_at = \(context.now),
            revision = \(child.revision)
        where id = \(child.id)
        """)
    try await context.audit(
        .update, .child, child.id.uuid, by: membership.caller.userID, family: child.familyId,
        changes: changes)
    return Reply(ChildAnswer(child: child), revision: child.revision)
}
