import BabyBasicsAPI
import Postgres

/// Adds a child to the family.
func createChild(_ context: RequestContext, membership: FamilyMembership) async throws
    -> Reply<ChildAnswer>
{
    let family = membership.family
    let caller = membership.caller.userID
    let fields = try context.fields()
    let clientID = fields.optional("id", .identifier() as Rule<ChildID>)
    let database = context.database
    var isTaken = false
    if case .some(.some(let id)) = clientID, try await database.isTaken(id.uuid) {
        if let child = try await existing(id, membership, database) { return child }
        isTaken = true
    }
    let (id, name, dateOfBirth) = try fields.all(
        clientID, fields.required("name", .name),
        fields.required("date_of_birth", .dateOfBirth(today: context.now.utcDate)))
    if isTaken { throw APIError.identifierTaken }
    guard try await context.childrenCount(of: family.id) < Ceiling.childrenOfFamily else {
        throw APIError.tooManyChildren
    }
    let child = Child(
        id: try id ?? context.newIdentifier(), familyId: family.id, familyName: family.name,
        name: name, dateOfBirth: dateOfBirth, role: membership.role,
        revision: try database.takeRevisions(of: family.id), createdAt: context.now,
        updatedAt: context.now)
    try database.enqueue(
        """
        insert into children (id, family_id, name, date_of_birth, created_by, revision, created_at, updated_at)
        values (\(child.id), \(family.id), \(name), \(dateOfBirth), \(caller), \(child.revision),
            \(context.now), \(context.now))
        """)
    var changes = AuditChanges.none
    changes.note("name", from: nil, to: name)
    changes.note("date_of_birth", from: nil, to: dateOfBirth)
    try await context.audit(
        .create, .child, child.id.uuid, by: caller, family: family.id, changes: changes)
    return Reply(ChildAnswer(child: child), revision: child.revision)
}

extension RequestContext {
    fileprivate func childrenCount(of family: FamilyID) async throws -> Int {
        let count = try await database.first("select count(*) from children where family_id = \(family)") {
            try $0.next(Int64.self)
        }
        return Int(count ?? 0)
    }
}

/// What the caller made in this family with the same identifier before; nil where it is anything else.
private func existing(_ id: ChildID, _ membership: FamilyMembership, _ database: Database) async throws
    -> Reply<ChildAnswer>?
{
    let child = try await database.first(
        """
        select id, family_id, \(membership.family.name), name, date_of_birth, \(membership.role.rawValue),
            revision, created_at, updated_at
        from children
        where id = \(id) and family_id = \(membership.family.id) and created_by = \(membership.caller.userID)
        """
    ) { try Child(&$0) }
    return child.map { Reply(ChildAnswer(child: $0), status: 200, revision: $0.revision) }
}
