import BabyBasicsAPI
import Postgres

/// Makes a family whose owner and first parent is the caller.
func createFamily(_ context: RequestContext, caller: Caller) async throws -> Reply<FamilyAnswer> {
    let fields = try context.fields()
    let clientID = fields.optional("id", .identifier() as Rule<FamilyID>)
    let database = context.database
    return try await database.transaction {
        try await database.requireAccount(caller.userID)
        var isTaken = false
        if case .some(.some(let id)) = clientID, try await !database.claim(id.uuid) {
            if let family = try await existing(id, caller, database) { return family }
            isTaken = true
        }
        let (id, name, policy) = try fields.all(
            clientID, fields.required("name", .name),
            fields.optional("sharing_policy", .sharingPolicy))
        if isTaken { throw APIError.identifierTaken }
        let family = Family(
            id: try id ?? context.newIdentifier(), name: name, sharingPolicy: policy ?? .standard,
            ownerId: caller.userID, revision: 1, createdAt: context.now, updatedAt: context.now)
        try await database.holdName(of: caller.userID)
        try await database.execute(
            """
            insert into families (id, name, sharing_policy, owner_id, created_by, revision, last_revision, created_at, updated_at)
            values (\(family.id), \(name), \(family.sharingPolicy.rawValue), \(caller.userID), \(caller.userID),
                1, 2, \(context.now), \(context.now))
            """)
        try await database.execute(
            """
            insert into family_members (family_id, user_id, role, joined_at, revision)
            values (\(family.id), \(caller.userID), 'parent', \(context.now), 2)
            """)
        var changes = AuditChanges.none
        changes.note("name", from: nil, to: name)
        changes.note("sharing_policy", from: nil, to: family.sharingPolicy)
        try await context.audit(
            .create, .family, family.id.uuid, by: caller.userID, family: family.id, changes: changes
        )
        return Reply(FamilyAnswer(family: family), revision: family.revision)
    }
}

/// What the caller made with the same identifier before; nil where it is anything else.
private func existing(_ id: FamilyID, _ caller: Caller, _ database: Database) async throws
    -> Reply<FamilyAnswer>?
{
    let family = try await database.first(
        """
        select f.id, f.name, f.sharing_policy, f.owner_id, f.revision, f.created_at, f.updated_at
        from families f join family_members m on m.family_id = f.id and m.user_id = \(caller.userID)
        where f.id = \(id) and f.created_by = \(caller.userID)
        """
    ) { try Family(&$0) }
    return family.map { Reply(FamilyAnswer(family: $0), status: 200, revision: $0.revision) }
}

extension APIError {
    static let identifierTaken = APIError(
        .conflict, "This id belongs to something else",
        details: [.init(field: "id", message: "is taken")])
}
