public import BabyBasicsAPI
import Foundation

/// An account's permissions in a family, by role and sharing policy. A forbidden action has no button.
public struct FamilyPermissions: Hashable, Sendable {
    /// Rename the family, add children, change and delete them.
    public let canManage: Bool
    /// Make and revoke invites.
    public let canInvite: Bool
    /// Which roles an invite can give.
    public let invitableRoles: [MemberRole]
    /// Delete the whole family.
    public let canDelete: Bool
    /// Leave it.
    public let canLeave: Bool
    /// Log, edit and delete entries.
    public let canLog: Bool
    /// Hand the family over to another parent.
    public let canTransfer: Bool
    private let managesMembers: Bool
    private let userID: UserID
    private let policy: FamilyPolicy

    /// The account's permissions.
    public init(family: StoredFamily, members: [StoredMember], userID: UserID) {
        let isParent = family.role == .parent
        let isOwner = family.ownerID == userID
        let isCoParent = family.sharingPolicy == .coParent
        // The rules of a later server's policy are unknown.
        let isKnown = isCoParent || family.sharingPolicy == .standard
        let parents = members.filter { $0.role == .parent }
        let others = members.filter { $0.id != userID }
        self.userID = userID
        policy = family.sharingPolicy
        canManage = isParent
        managesMembers = isKnown && (isCoParent ? isOwner : isParent)
        canInvite = isKnown && (isCoParent ? isOwner && parents.count < 2 : isParent)
        invitableRoles = isCoParent ? [.parent] : [.parent, .caregiver, .viewer]
        canDelete = isKnown && (isCoParent ? isOwner : isParent)
        canLog = family.role.canLog
        canTransfer = isOwner && parents.contains { $0.id != userID }
        let isLastParent = isParent && !parents.contains { $0.id != userID }
        canLeave = !others.isEmpty && !isLastParent && !(isCoParent && isOwner)
    }

    /// Whether the member can be taken out of the family.
    public func canRemove(_ member: StoredMember) -> Bool {
        managesMembers && member.id != userID && !(policy == .coParent && member.isOwner)
    }

    /// Whether the member can be given another role.
    public func canChangeRole(of member: StoredMember) -> Bool {
        canRemove(member) && policy == .standard
    }
}
