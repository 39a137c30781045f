import BabyBasicsAPI
import Foundation
import Testing

@testable import BabyBasicsKit

@Suite struct PermissionTests {
    @Test(arguments: [
        ("parent", "standard", true), ("caregiver", "standard", false),
        ("viewer", "standard", false), ("parent", "co_parent", true),
    ])
    func whoSeesWhichButtons(role: String, policy: String, owns: Bool) throws {
        let me = UserID(UUID())
        let other = UserID(UUID())
        let family = StoredFamily(
            id: FamilyID(UUID()), name: "F", policy: policy, owner: owns ? me : other, role: role)
        let members = [
            StoredMember(id: me, family: family.id, role: role, isOwner: owns),
            StoredMember(id: other, family: family.id, role: "parent", isOwner: !owns),
        ]
        let permissions = FamilyPermissions(family: family, members: members, userID: me)
        let isParent = role == "parent"
        #expect(permissions.canManage == isParent)
        #expect(permissions.canDelete == isParent)
        #expect(permissions.canRemove(members[1]) == isParent)
        #expect(!permissions.canRemove(members[0]))
        #expect(permissions.canLog == (role != "viewer"))
        // A co-parent family of two is full, and its owner stays.
        #expect(permissions.canInvite == (isParent && policy == "standard"))
        #expect(permissions.canLeave == (policy == "standard"))
        #expect(permissions.canChangeRole(of: members[1]) == (isParent && policy == "standard"))
        #expect(permissions.canTransfer == owns)
        #expect(
            permissions.invitableRoles
                == (policy == "standard" ? [.parent, .caregiver, .viewer] : [.parent]))
    }

    @Test func aCoParentWhoDoesNotOwnInvitesAndRemovesNobody() {
        let me = UserID(UUID())
        let owner = UserID(UUID())
        let family = StoredFamily(
            id: FamilyID(UUID()), name: "F", policy: "co_parent", owner: owner, role: "parent")
        let members = [
            StoredMember(id: owner, family: family.id, role: "parent", isOwner: true),
            StoredMember(id: me, family: family.id, role: "parent", isOwner: false),
        ]
        let permissions = FamilyPermissions(family: family, members: members, userID: me)
        #expect(permissions.canManage && permissions.canLeave)
        #expect(!permissions.canInvite && !permissions.canDelete && !permissions.canTransfer)
        #expect(!permissions.canRemove(members[0]))
    }

    @Test func theLastParentAndTheOnlyMemberStay() {
        let me = UserID(UUID())
        let family = StoredFamily(
            id: FamilyID(UUID()), name: "F", policy: "standard", owner: me, role: "parent")
        let alone = [StoredMember(id: me, family: family.id, role: "parent", isOwner: true)]
        let nanny = StoredMember(
            id: UserID(UUID()), family: family.id, role: "caregiver", isOwner: false)
        for members in [alone, alone + [nanny]] {
            #expect(
                !FamilyPermissions(family: family, members: members, userID: me).canLeave)
        }
    }
}

extension StoredFamily {
    init(id: FamilyID, name: String, policy: String, owner: UserID, role: String) {
        self.init(
            id: id, name: name, sharingPolicy: FamilyPolicy(rawValue: policy),
            ownerID: owner, role: MemberRole(rawValue: role), createdAt: .systemNow)
    }
}

extension StoredMember {
    init(id: UserID, family: FamilyID, role: String, isOwner: Bool) {
        self.init(
            id: id, familyID: family, name: "Somebody", email: "s@example.com",
            role: MemberRole(rawValue: role), isOwner: isOwner, joinedAt: .systemNow)
    }
}
