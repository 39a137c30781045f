import BabyBasicsAPI

/// What a sharing policy allows: every difference between the policies is a value here.
struct SharingRules {
    /// Only the owner invites, revokes invites, removes members and deletes the family; otherwise any parent does.
    let onlyOwnerManages: Bool
    /// The roles that there are.
    let roles: Set<Role>
    /// Parents at most; nil for any number.
    let maximumParents: Int?
    /// From the making of an invite to its end.
    let inviteLifetime: Duration
    /// Whether invites carry a link for the app's own scheme too.
    let hasDeepLink: Bool

    /// Whether there can be no parent more than these.
    func isFull(parents: Int) -> Bool { maximumParents.map { parents >= $0 } ?? false }
}

extension FamilyMembership {
    /// Lets through whoever may invite, revoke, remove and delete in this family. That the caller is a parent is known already.
    /// - Throws: `APIError` 403.
    func requireManager(otherwise message: String) throws {
        if family.sharingPolicy.rules.onlyOwnerManages, family.ownerId != caller.userID {
            throw APIError(.forbidden, message)
        }
    }
}

extension SharingPolicy {
    var rules: SharingRules {
        switch self {
        case .standard:
            SharingRules(
                onlyOwnerManages: false, roles: [.parent, .caregiver, .viewer], maximumParents: nil,
                inviteLifetime: .seconds(7 * 86_400), hasDeepLink: false)
        case .coParent:
            SharingRules(
                onlyOwnerManages: true, roles: [.parent], maximumParents: 2,
                inviteLifetime: .seconds(72 * 3600), hasDeepLink: true)
        }
    }
}
