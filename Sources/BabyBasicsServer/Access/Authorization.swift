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

    var familyID: FamilyID { child.familyId }
}

/// Finds the family that the path names and the caller's place in it.
/// - Throws: `APIError` 404 for what is no identifier, 403 for strangers and for a role that may not.
func authorizeFamily(_ context: RequestContext) async throws -> FamilyMembership {
    let found = try await context.ask(familyOfCaller) { (family: try Family(&$0), role: try $0.next(Role.self)) }
    return FamilyMembership(caller: try context.authenticated, family: found[0].family, role: found[0].role)
}

/// Finds the child that the path names and the caller's place in its family.
/// - Throws: `APIError` 404 for strangers and for what is no identifier, 403 for a role that may not.
func authorizeChild(_ context: RequestContext) async throws -> ChildMembership {
    let found = try await context.ask(childOfCaller) { try Child(&$0) }
    return ChildMembership(caller: try context.authenticated, child: found[0])
}

private let familyOfCaller = Question.ofFamily(
    columns: """
        f.id, f.name, f.sharing_policy, f.owner_id, f.revision, f.created_at, f.updated_at, m.role
        """,
    from: "left join families f on f.id = m.family_id")

private let childOfCaller = Question.ofChild(columns: CallersChild.columns, from: CallersChild.join)

/// The child of a question, as `Child` reads it.
enum CallersChild {
    static let columns = """
        c.id, c.family_id, f.name, c.name, c.date_of_birth, m.role, c.revision, c.created_at, c.updated_at
        """
    static let join = "left join families f on f.id = c.family_id"
}
