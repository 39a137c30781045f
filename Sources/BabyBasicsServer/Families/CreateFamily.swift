import BabyBasicsAPI
import FoundationEssentials
import Postgres

/// Makes a family whose owner and first parent is the caller.
func createFamily(_ context: RequestContext, caller: Caller) async throws -> Reply<FamilyAnswer> {
    let fields = try context.fields()
    let clientID = fields.optional("id", .identifier() as Rule<FamilyID>)
    let database = context.database
    return try await database.transaction {
        // One at a time: the next one counts this one's family.
        try database.lockUser(caller.userID)
        let families = try await context.familiesCount(of: caller.userID)
        var isTaken = false
        if case .some(.some(let id)) = clientID, try await database.isTaken(id.uuid) {
            if let family = try await existing(id, caller, context) { return family }
            isTaken = true
        }
        let (id, name, policy) = try fields.all(
            clientID, fields.required("name", .name),
            fields.optional("sharing_policy", .sharingPolicy))
        if isTaken { throw APIError.identifierTaken }
        guard families < Ceiling.familiesOfUser else { throw APIError.tooManyFamilies }
        let family = Family(
            id: try id ?? context.newIdentifier(), name: name, sharingPolicy: policy ?? .standard,
            ownerId: caller.userID, revision: 1, createdAt: context.now, updatedAt: context.now)
        try await insert(family, context)
        return Reply(FamilyAnswer(family: family), revision: family.revision)
    }
}

private func insert(_ family: Family, _ context: RequestContext) async throws {
    let (database, owner) = (context.database, family.ownerId)
    try database.enqueue(
        """
        insert into families (id, name, sharing_policy, owner_id, created_by, revision, created_at, updated_at)
        values (\(family.id), \(family.name), \(family.sharingPolicy.rawValue), \(owner), \(owner),
            1, \(context.now), \(context.now))
        """)
    try database.enqueue("insert into feeds (family_id, last_revision) values (\(family.id), 2)")
    try database.enqueue(
        """
        insert into \(unescaped: Members.table) (family_id, user_id, role, joined_at, revision)
        values (\(family.id), \(owner), 'parent', \(context.now), 2)
        """)
    var changes = AuditChanges.none
    changes.note("name", from: nil, to: family.name)
    changes.note("sharing_policy", from: nil, to: family.sharingPolicy)
    try await context.audit(
        .create, .family, family.id.uuid, by: owner, family: family.id, changes: changes)
}

extension RequestContext {
    /// How many families somebody belongs to.
    /// - Throws: `APIError` 401 where the account is gone.
    fileprivate func familiesCount(of user: UserID) async throws -> Int {
        let count = try await database.first(
            """
            select (select count(*) from \(fragment: Members.current("m", at: now)) where m.user_id = u.id)
            from users u where u.id = \(user) and u.deleted_at is null
            """
        ) { Int(try $0.next(Int64.self)) }
        guard let count else { throw APIError.invalidToken }
        return count
    }
}

/// What the caller made with the same identifier before; nil where it is anything else.
private func existing(_ id: FamilyID, _ caller: Caller, _ context: RequestContext) async throws
    -> Reply<FamilyAnswer>?
{
    let family = try await context.database.first(
        """
        select f.id, f.name, f.sharing_policy, f.owner_id, f.revision, f.created_at, f.updated_at
        from families f join \(fragment: Members.current("m", at: context.now))
            on m.family_id = f.id and m.user_id = \(caller.userID)
        where f.id = \(id) and f.created_by = \(caller.userID)
        """
    ) { try Family(&$0) }
    return family.map { Reply(FamilyAnswer(family: $0), status: 200, revision: $0.revision) }
}

extension APIError {
    static let identifierTaken = APIError(
        .conflict, "This id belongs to something else",
        details: [.init(field: "id", message: "is taken", reason: .taken)])
}

extension Database {
    /// Whether an identifier stands for a family or a child, or did until a short while ago.
    func isTaken(_ id: UUID) async throws -> Bool {
        try await first(
            """
            select exists (select 1 from families where id = \(id)) or exists (select 1 from children where id = \(id))
                or exists (select 1 from tombstones where entity_id = \(id) and entity in ('family', 'child'))
            """
        ) { try $0.next() } ?? false
    }
}
