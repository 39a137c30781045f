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
    /// Goes with what the caller logs. Empty where nothing will be changed.
    let callerName: String
    let child: Child
    /// The family's last number: where something will be changed, the one that was taken for the change, see `Session.lockFamily(of:)`.
    /// 0 where it is of no use.
    let revision: Int64
    /// Of the family's members, where nothing will be changed: whoever logged an event is nearly always among them.
    let memberNames: [UserID: String]

    var familyID: FamilyID { child.familyId }
}

/// Finds the family that the path names and the caller's place in it; locks it where something will be changed.
/// - Throws: `APIError` 404 for what is no identifier, 403 for strangers and for a role that is not enough.
func authorizeFamily(_ context: RequestContext, _ caller: Caller) throws -> FamilyMembership {
    let familyID = try context.identifier(0, of: Family.self)
    let database = try context.database
    // The lock must be got before the membership is read: a statement that waits for it sees the members from before its wait.
    // This one travels with the next, which yet runs after it.
    if context.endpoint.method != .get { try database.enqueue(familyLock.binding(familyID)) }
    let found = try database.first(
        """
        select f.id, f.name, f.sharing_policy, f.owner_id, f.revision, f.created_at, f.updated_at, m.role
        from family_members m join families f on f.id = m.family_id
        where m.family_id = \(familyID) and m.user_id = \(caller.userID)
        """
    ) { (family: try Family(&$0), role: try $0.next(Role.self)) }
    guard let found else { throw APIError.notAMember }
    try require(found.role, for: context.endpoint)
    return FamilyMembership(caller: caller, family: found.family, role: found.role)
}

/// Finds the session and, through it, the child that the path names, in one statement; locks the child's family where something will be changed.
///
/// - Returns: no child for strangers and for what is no identifier.
/// - Throws: `APIError` 401 or 429; `NoCounter`.
func findChild(_ context: RequestContext, _ admission: Admission) throws -> FoundChild {
    let childID = Identifier<Child>(context.parameters[0])
    if context.endpoint.method != .get {
        try context.database.lockFamily(of: childID, admission.token, context.now)
    }
    let isRead = context.endpoint.method == .get
    func facts(_ row: inout Row) throws -> ChildFacts? {
        try row.next(Bool.self) ? ChildFacts(&row, isRead: isRead) : nil
    }
    let question =
        isRead
        ? sessionChildAndMembers.question(context, admission, value: childID)
        : sessionAndChild.questionOfChange(context, admission, value: childID)
    let found = try question.rows(facts)
    return FoundChild(caller: found.caller, facts: found.rows[0])
}

// For a change, and for what only reads.
private let sessionAndChild = SessionStatement(
    columns: childColumns + ", f.last_revision, u.name",
    joins: """
        left join (\(childTables) join users u on u.id = m.user_id)
            on c.id = $3 and m.user_id = s.user_id
        """)
private let sessionChildAndMembers = SessionStatement(
    columns: childColumns + ", a.ids, a.names",
    joins: """
        left join (\(childTables)) on c.id = $3 and m.user_id = s.user_id
        left join lateral (
            select array_agg(u.id) as ids, array_agg(u.name::text) as names
            from family_members m join users u on u.id = m.user_id where m.family_id = c.family_id
        ) a on true
        """)

let childColumns = """
    , c.id is not null, c.id, c.family_id, f.name, c.name, c.date_of_birth, m.role, c.revision,
    c.created_at, c.updated_at
    """
let childTables = """
    children c join families f on f.id = c.family_id join family_members m on m.family_id = c.family_id
    """

/// What the database tells of a child whose family has the caller for a member.
struct ChildFacts {
    let child: Child
    var revision: Int64 = 0
    var callerName = ""
    var memberNames: [UserID: String] = [:]
}

extension ChildFacts {
    fileprivate init(_ row: inout Row, isRead: Bool) throws {
        self.init(child: try Child(&row))
        if isRead {
            let ids = try row.next([UUID].self).map(UserID.init)
            memberNames = Dictionary(zip(ids, try row.next([String].self))) { first, _ in first }
        } else {
            revision = try row.next()
            callerName = try row.next()
        }
    }
}

/// A child as a request has asked for it, before it is known what its caller may do.
struct FoundChild {
    let caller: Caller
    let facts: ChildFacts?

    /// - Throws: `APIError` 404 where the caller is no member, 403 for a role that is not enough.
    func membership(for endpoint: EndpointDescription) throws -> ChildMembership {
        guard let facts else { throw APIError.childNotFound }
        try require(facts.child.role, for: endpoint)
        return ChildMembership(
            caller: caller, callerName: facts.callerName, child: facts.child,
            revision: facts.revision, memberNames: facts.memberNames)
    }
}

/// Makes everybody else who changes this family wait until the transaction ends.
func lockFamily(_ id: FamilyID, _ database: Session) throws {
    try database.execute(familyLock.binding(id))
}

private let familyLock = SQLTemplate(
    unescaped: "select from families where id = $1 for no key update")

private func require(_ role: Role, for endpoint: EndpointDescription) throws {
    if let message = endpoint.refusal(of: role) { throw APIError(.forbidden, message) }
}
