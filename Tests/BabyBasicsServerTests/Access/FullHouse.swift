import Postgres
import TestSupport

/// A family with somebody of every kind, made past the API, and those who are no members of it.
struct FullHouse {
    let family: String
    let child: String
    let invite: String
    let owner: TestUser
    let parent: TestUser
    let caregiver: TestUser
    let viewer: TestUser
    /// Was a caregiver until a moment ago, and the purge has not come yet.
    let expired: TestUser
    /// Was a caregiver.
    let removed: TestUser
    let stranger: TestUser

    init(_ server: TestServer, policy: String = "standard") throws {
        owner = try server.user("Owner")
        parent = try server.user("Parent")
        caregiver = try server.user("Caregiver")
        viewer = try server.user("Viewer")
        expired = try server.user("Expired")
        removed = try server.user("Removed")
        stranger = try server.user("Stranger")
        family = try server.family(of: owner, policy: policy)
        child = try server.child(of: family, by: owner)
        invite = try server.send(
            "POST", "families/\(family)/invites", as: owner, ["role": "parent"]
        ).json["invite"]["id"].string.required()
        for (user, role, end) in [
            (parent, "parent", nil), (caregiver, "caregiver", nil), (viewer, "viewer", nil),
            (expired, "caregiver", "-1 second"), (removed, "caregiver", nil),
        ] as [(TestUser, String, String?)] {
            try server.database.execute(
                """
                insert into family_members (family_id, user_id, role, access_until)
                values (\(family)::uuid, \(user.id)::uuid, \(role), now() + \(end)::interval)
                """)
        }
        let removal = server.send("DELETE", "families/\(family)/members/\(removed.id)", as: owner)
        guard removal.status == 204 else { throw Missing() }
    }
}
