import BabyBasicsAPI
import FoundationEssentials
import Postgres

/// What a member's request for a family has established.
struct FamilyMembership {
    let caller: Caller
    let family: Family
    let role: Role
}

/// What a member's request for a child has established.
struct ChildMembership {
    let caller: Caller
    let child: Child
    /// Of the family's members: whoever logged an event is nearly always among them.
    let memberNames: [UserID: String]

    var familyID: FamilyID { child.familyId }
}

/// Finds the family that the path names and the caller's place in it.
/// - Throws: `APIError` 404 for what is no identifier, 403 for strangers and for a role that may not.
func authorizeFamily(_ context: RequestContext) async throws -> FamilyMembership {
    let familyID = Identifier<Family>(context.parameters[0])
    let found = try await context.rows(familyOfCaller) {
        $0.append(familyID)
    } _: { row in
        try row.next(Bool.self) ? FoundFamily(&row) : nil
    }
    try requireJSON(context)
    if familyID == nil { throw APIError.notFound }
    guard let found = found[0] else { throw APIError.notAMember }
    context.lastRevision = found.lastRevision
    try require(context.endpoint, allows: found.role)
    try context.requireLock(found.hasLocked)
    return FamilyMembership(caller: try context.authenticated, family: found.family, role: found.role)
}

/// Finds the child that the path names and the caller's place in its family.
/// - Throws: `APIError` 404 for strangers and for what is no identifier, 403 for a role that may not.
func authorizeChild(_ context: RequestContext) async throws -> ChildMembership {
    let found = try await context.rows(childOfCaller) {
        $0.append(Identifier<Child>(context.parameters[0]))
    } _: { row in
        try row.next(Bool.self) ? FoundChild(&row) : nil
    }
    try requireJSON(context)
    guard let found = found[0] else { throw APIError.childNotFound }
    context.lastRevision = found.lastRevision
    try require(context.endpoint, allows: found.child.role)
    try context.requireLock(found.hasLocked)
    return ChildMembership(
        caller: try context.authenticated, child: found.child, memberNames: found.memberNames)
}

/// - Throws: `APIError` 403 for a role that may not call the endpoint.
func require(_ endpoint: EndpointDescription, allows role: Role) throws {
    if let refusal = endpoint.refusal(of: role) { throw APIError(.forbidden, refusal) }
}

extension RequestContext {
    /// Refuses a change whose family is not locked: the caller became a member after the lock was asked for.
    fileprivate func requireLock(_ hasLocked: Bool) throws {
        if database.isInTransaction, !hasLocked { throw APIError.unavailable(retryAfter: 1) }
    }
}

/// Whether the transaction has locked something: only then PostgreSQL gives it a number.
private let hasLocked = "pg_current_xact_id_if_assigned() is not null"

private let familyOfCaller = AuthenticatedQuery(
    columns: """
        f.id is not null, f.id, f.name, f.sharing_policy, f.owner_id, f.revision, f.created_at, f.updated_at,
        m.role, f.last_revision, \(hasLocked)
        """,
    from: """
        left join (\(Members.current("m", at: "$2")) join families f on f.id = m.family_id)
            on m.family_id = $3 and m.user_id = caller.user_id
        """)

private let childOfCaller = AuthenticatedQuery(
    columns: "\(CallersChild.columns), f.last_revision, \(hasLocked), names.ids, names.names",
    from: """
        \(CallersChild.join)
        left join lateral (
            select array_agg(u.id) as ids, array_agg(u.name::text) as names
            from \(Members.current("m", at: "$2")) join users u on u.id = m.user_id where m.family_id = c.family_id
        ) names on true
        """)

/// The child `$3` of a family that the caller belongs to, for an `AuthenticatedQuery`.
enum CallersChild {
    /// Whether there is one, and what `Child` reads.
    static let columns = """
        c.id is not null, c.id, c.family_id, f.name, c.name, c.date_of_birth, m.role, c.revision,
        c.created_at, c.updated_at
        """
    /// `c` the child, `f` its family, `m` the caller's membership.
    static let join = """
        left join (
            children c join families f on f.id = c.family_id
                join \(Members.current("m", at: "$2")) on m.family_id = c.family_id
        ) on c.id = $3 and m.user_id = caller.user_id
        """
}

private struct FoundFamily {
    let family: Family
    let role: Role
    let lastRevision: Int64
    let hasLocked: Bool

    init(_ row: inout Row) throws {
        family = try Family(&row)
        role = try row.next()
        lastRevision = try row.next()
        hasLocked = try row.next()
    }
}

private struct FoundChild {
    let child: Child
    let lastRevision: Int64
    let hasLocked: Bool
    let memberNames: [UserID: String]

    init(_ row: inout Row) throws {
        child = try Child(&row)
        lastRevision = try row.next()
        hasLocked = try row.next()
        let ids = try row.next([UUID].self).map(UserID.init)
        memberNames = Dictionary(zip(ids, try row.next([String].self))) { first, _ in first }
    }
}
