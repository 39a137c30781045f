import Foundation
import Postgres
import TestSupport
import Testing

/// `MEMBERSHIP_ROUNDS` asks for more than the usual few.
@Suite("Members who come, go and change at once")
struct MembershipRaceTests {
    private static let rounds =
        ProcessInfo.processInfo.environment["MEMBERSHIP_ROUNDS"].flatMap { Int($0) } ?? 12

    let server: TestServer

    init() throws { server = try TestServer(connections: 8) }

    /// What must hold whatever happened.
    private func expectSound(_ what: String) throws {
        let wrong = try server.database.texts(
            """
            select 'a family without a parent' from families f
            where not exists (
                select from family_members m
                where m.family_id = f.id and m.role = 'parent' and m.access_until is null)
            union all
            select 'an owner who is no parent' from families f
            where not exists (
                select from family_members m
                where m.family_id = f.id and m.role = 'parent' and m.user_id = f.owner_id)
            union all
            select 'a number given twice' from (
                select family_id, revision from family_members
                union all select id, revision from families
                union all select family_id, revision from tombstones where revision is not null
            ) given group by family_id, revision having count(*) > 1
            """)
        #expect(wrong == [], "\(what)")
    }

    private struct House {
        let family: String
        let parents: [TestUser]
        let guest: TestUser
    }

    private func house(parents count: Int) throws -> House {
        let parents = try (0..<count).map { try server.user("Parent \($0)") }
        let guest = try server.user("Guest")
        let family = try server.family(of: parents[0])
        for (user, role) in parents.dropFirst().map({ ($0, "parent") }) + [(guest, "caregiver")] {
            try server.database.execute(
                """
                with counted as (
                    update feeds set last_revision = last_revision + 1 where family_id = \(family)::uuid
                    returning last_revision
                )
                insert into family_members (family_id, user_id, role, revision)
                select \(family)::uuid, \(user.id)::uuid, \(role), last_revision from counted
                """)
        }
        return House(family: family, parents: parents, guest: guest)
    }

    @Test("Two parents leave at once: one stays")
    func leaving() throws {
        for _ in 0..<Self.rounds {
            let house = try house(parents: 2)
            let statuses = race(2) { [server] in
                server.send("POST", "families/\(house.family)/leave", as: house.parents[$0]).status
            }
            #expect(statuses.sorted() == [204, 409])
        }
        try expectSound("leaving")
    }

    @Test(
        "Who joins while a change of members or the family's end waits, and logs at once, is waited for",
        arguments: [("DELETE", true), ("PATCH", true), ("DELETE", false)])
    func joinedMeanwhile(_ method: String, ofMember: Bool) throws {
        let (johnny, maria) = (try server.user("Johnny"), try server.user("Maria"))
        let family = try server.family(of: johnny)
        let database = server.database
        let of = { (user: TestUser) -> SQL in "family_id = \(family)::uuid and user_id = \(user.id)::uuid" }
        let status = try database.asOwner { event in
            try database.asOwner { feed in
                try database.asOwner { joining in
                    let change = try event.transaction { () -> Background<Int> in
                        let change = try feed.transaction { () -> Background<Int> in
                            let change = try joining.transaction { () -> Background<Int> in
                                try joining.execute(
                                    "select from family_members where \(fragment: of(johnny)) for update")
                                let change = Background { [server] in
                                    server.send(
                                        method, "families/\(family)" + (ofMember ? "/members/\(maria.id)" : ""),
                                        as: johnny,
                                        method == "PATCH" ? ["role": "viewer"] : nil
                                    ).status
                                }
                                try database.waitUntilBlocked()
                                try feed.execute("select from feeds where family_id = \(family)::uuid for update")
                                try joining.execute(
                                    """
                                    insert into family_members (family_id, user_id, role, revision)
                                    values (\(family)::uuid, \(maria.id)::uuid, 'caregiver', 0)
                                    """)
                                return change
                            }
                            try event.execute("select from family_members where \(fragment: of(maria)) for share")
                            return change
                        }
                        try database.waitUntilBlocked()
                        try event.execute(
                            "update feeds set last_revision = last_revision + 1 where family_id = \(family)::uuid")
                        return change
                    }
                    return try change.value()
                }
            }
        }
        #expect(status == (method == "PATCH" ? 200 : 204))
        let roles = try database.texts("select role from family_members where \(fragment: of(maria))")
        #expect(roles == (method == "PATCH" ? ["viewer"] : []))
    }

    @Test("Parents who leave, remove, demote, transfer and invite at once leave a family that is whole")
    func anything() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<Self.rounds {
            let house = try house(parents: Int.random(in: 2...3, using: &random))
            let token = try server.invite(to: house.family, as: "parent", by: house.parents[0])
            let newcomer = try server.user("Newcomer")
            let deeds = (0..<Int.random(in: 2...4, using: &random)).map { _ in
                (
                    kind: Int.random(in: 0..<8, using: &random),
                    actor: house.parents.randomElement(using: &random) ?? house.guest,
                    target: (house.parents + [house.guest]).randomElement(using: &random) ?? house.guest
                )
            }
            let answers = race(deeds.count) { [server] index in
                let (kind, actor, target) = deeds[index]
                let member = "families/\(house.family)/members/\(target.id)"
                return switch kind {
                case 0, 1: server.send("POST", "families/\(house.family)/leave", as: actor)
                case 2: server.send("DELETE", member, as: actor)
                case 3: server.send("PATCH", member, as: actor, ["role": "caregiver"])
                case 4: server.send("PATCH", member, as: actor, ["role": "parent"])
                case 5, 6:
                    server.send(
                        "POST", "families/\(house.family)/transfer", as: actor,
                        ["user_id": .string(target.id)])
                default:
                    server.send("POST", "invites/accept", as: newcomer, ["token": .string(token)])
                }
            }
            for answer in answers {
                #expect([200, 201, 204, 400, 403, 404, 409].contains(answer.status), "\(answer.message ?? "")")
            }
        }
        try expectSound("anything")
    }
}
