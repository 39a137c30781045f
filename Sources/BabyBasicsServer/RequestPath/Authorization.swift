import BabyBasicsAPI
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
    /// Goes with what the caller logs.
    let callerName: String
    let child: Child
    /// The last number that anything of the family was given. Nobody else gives one while the transaction of a change lasts.
    let lastRevision: Int64

    var familyID: FamilyID { child.familyId }
}

/// Finds the family that the path names and the caller's place in it; locks it where something will be changed.
/// - Throws: `APIError` 404 for what is no identifier, 403 for strangers and for a role that is not enough.
func authorizeFamily(
    _ context: RequestContext, _ caller: Caller, _ requirement: Access.Requirement
) throws -> FamilyMembership {
    let familyID = try context.identifier(0, of: Family.self)
    let database = try context.database
    // The lock must be got before the membership is read: a statement that waits for it sees the members from before its wait.
    if context.endpoint.method != .get { try lockFamily(familyID, database) }
    let found = try database.first(
        """
        select f.id, f.name, f.sharing_policy, f.owner_id, f.revision, f.created_at, f.updated_at, m.role
        from family_members m join families f on f.id = m.family_id
        where m.family_id = \(familyID) and m.user_id = \(caller.userID)
        """
    ) { (family: try Family(&$0), role: try $0.next(Role.self)) }
    guard let found else { throw APIError.notAMember }
    try require(requirement, of: found.role)
    return FamilyMembership(caller: caller, family: found.family, role: found.role)
}

/// Finds the child that the path names through the caller's membership; locks its family where something will be changed.
/// - Throws: `APIError` 404 for strangers and for what is no identifier, 403 for a role that is not enough.
func authorizeChild(
    _ context: RequestContext, _ caller: Caller, _ requirement: Access.Requirement
) throws -> ChildMembership {
    let childID = try context.identifier(0, of: Child.self, otherwise: .childNotFound)
    let database = try context.database
    if context.endpoint.method != .get {
        // Travels with the next statement, which yet runs after it and sees what it waited for.
        try database.enqueue(
            """
            select from families where id = (select family_id from children where id = \(childID))
            for no key update
            """)
    }
    let found = try database.first(
        """
        select c.id, c.family_id, f.name, c.name, c.date_of_birth, m.role, c.revision, c.created_at, c.updated_at,
            f.last_revision, u.name
        from children c
        join families f on f.id = c.family_id
        join family_members m on m.family_id = c.family_id and m.user_id = \(caller.userID)
        join users u on u.id = m.user_id
        where c.id = \(childID)
        """
    ) {
        let child = try Child(&$0)
        let lastRevision: Int64 = try $0.next()
        return ChildMembership(
            caller: caller, callerName: try $0.next(), child: child, lastRevision: lastRevision)
    }
    guard let found else { throw APIError.childNotFound }
    try require(requirement, of: found.child.role)
    return found
}

/// Makes everybody else who changes this family wait until the transaction ends.
func lockFamily(_ id: FamilyID, _ database: Session) throws {
    try database.execute("select from families where id = \(id) for no key update")
}

private func require(_ requirement: Access.Requirement, of role: Role) throws {
    if case .parent(let otherwise) = requirement, role != .parent {
        throw APIError(.forbidden, otherwise)
    }
}
