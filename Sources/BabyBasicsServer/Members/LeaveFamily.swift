import BabyBasicsAPI

/// Takes the caller out of the family, as a removal by oneself.
func leaveFamily(_ context: RequestContext, membership: FamilyMembership) async throws -> Reply<Empty> {
    let family = membership.family
    let caller = membership.caller.userID
    let members = try await context.members(of: family)
    guard members.count > 1 else {
        throw APIError(.conflict, "You are the only member. Delete the family instead.")
    }
    if membership.role == .parent, members.parents(except: caller) == 0 {
        throw APIError(.conflict, "Make someone else a parent first, or delete the family.")
    }
    if family.sharingPolicy.rules.onlyOwnerManages, family.ownerId == caller {
        throw APIError.ownedByMember
    }
    try await context.remove(caller, from: family, with: members, by: caller)
    return .nothing
}

extension APIError {
    /// For owners who would cease to be parents.
    static let ownedByMember = APIError(.conflict, "Transfer the family first.")
}

extension [Member] {
    func parents(except user: UserID? = nil) -> Int {
        count { $0.role == .parent && $0.userId != user }
    }
}
