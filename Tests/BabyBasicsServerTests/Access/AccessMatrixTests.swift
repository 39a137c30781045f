import BabyBasicsAPI
import Postgres
import TestSupport
import Testing

@testable import BabyBasicsOpenAPI

/// Every endpoint, asked by every kind of caller: what it answers follows from what it declares.
@Suite("Who may call which endpoint")
struct AccessMatrixTests {
    private static let names = Endpoints.all.map(\.about.name)
    private static let managing = [
        "createInvite", "revokeInvite", "removeMember", "changeMember", "deleteFamily",
    ]

    let server: TestServer

    init() throws { server = try TestServer() }

    private func path(_ endpoint: EndpointDescription, _ house: FullHouse) -> String {
        let values = [
            ":familyId": house.family, ":childId": house.child, ":inviteId": house.invite,
            ":userId": house.caregiver.id,
        ]
        return endpoint.path.split(separator: "/").map {
            "/" + ($0.hasPrefix(":") ? values[String($0)] ?? "01975c0e-0000-7000-8000-000000000000" : String($0))
        }.joined()
    }

    private func ask(_ endpoint: EndpointDescription, _ house: FullHouse, as user: TestUser?) -> Answer {
        server.send(
            endpoint.method.rawValue, path(endpoint, house), as: user, endpoint.takesBody ? [:] : nil)
    }

    private func written(_ house: FullHouse) throws -> [String] {
        try server.database.texts(
            """
            select (select last_revision::text from feeds where family_id = \(house.family)::uuid) || ' '
                || (select count(*) from audit_logs)
            """)
    }

    @Test("Refused and let in, as declared", arguments: names, ["standard", "co_parent"])
    func matrix(_ name: String, policy: String) throws {
        let endpoint = try Endpoints.all.first { $0.about.name == name }.required()
        guard endpoint.access != .anyone, endpoint.access != .admin else { return }
        let house = try FullHouse(server, policy: policy)
        let before = try written(house)
        let ended = TestUser(id: "", name: "", email: "", token: String(repeating: "0", count: 64))
        for nobody in [nil, ended] { #expect(ask(endpoint, house, as: nobody).status == 401) }
        if endpoint.access == .user {
            for user in [house.stranger, house.expired] {
                #expect(ask(endpoint, house, as: user).status != 401)
            }
            return
        }
        for user in [house.stranger, house.expired, house.removed] {
            let answer = ask(endpoint, house, as: user)
            if case .child = endpoint.access {
                #expect((answer.status, answer.message) == (404, "Child not found"), "\(user.name)")
            } else {
                #expect((answer.status, answer.message) == (403, "Not a member of this family"), "\(user.name)")
            }
        }
        let members: [(TestUser, Role)] = [
            (house.viewer, .viewer), (house.caregiver, .caregiver), (house.parent, .parent),
        ]
        for (user, role) in members where endpoint.refusal(of: role) != nil {
            let answer = ask(endpoint, house, as: user)
            #expect((answer.status, answer.message) == (403, endpoint.refusal(of: role)), "\(role)")
        }
        #expect(try written(house) == before, "what is refused writes nothing")
        for (user, role) in members where endpoint.refusal(of: role) == nil {
            let answer = ask(endpoint, house, as: user)
            let isOwners =
                role == .parent
                && (name == "transferFamily" || policy == "co_parent" && Self.managing.contains(name))
            #expect((answer.status == 403) == isOwners, "\(role): \(answer.status) \(answer.message ?? "")")
            #expect(answer.status != 401 && answer.status < 500 && answer.message != "Child not found")
            if isOwners { #expect(answer.message?.hasPrefix("Only the owner can ") == true) }
        }
        // Where another parent has deleted the family already nothing is left to be asked.
        if name == "deleteFamily", policy == "standard" { return }
        let answer = ask(endpoint, house, as: house.owner)
        #expect(answer.status != 401 && answer.status != 403 && answer.status < 500)
    }

    @Test("The table has every route, and every member's endpoint one of the four requirements")
    func table() {
        #expect(Self.names.count == Set(Self.names).count)
        for endpoint in Endpoints.all where endpoint.path.contains("/:familyId") {
            guard case .family = endpoint.access else {
                Issue.record("\(endpoint.path) is open to others than the family")
                continue
            }
        }
        for endpoint in Endpoints.all where endpoint.path.contains("/:childId") {
            guard case .child = endpoint.access else {
                Issue.record("\(endpoint.path) is open to others than the child's family")
                continue
            }
        }
    }

    @Test("Whoever is refused waits for nobody's lock, and has nobody wait")
    func locks() throws {
        let house = try FullHouse(server)
        let busy = try server.member("Busy", of: house.family, by: house.owner)
        // A whole minute is before them in which requests count.
        let seconds = Int(server.clock.moment().microsecondsSince1970 / 1_000_000 % 60)
        server.clock.advance(by: .seconds(60 - seconds))
        while server.send("GET", "families", as: busy).status != 429 {}
        let changing = Endpoints.all.filter { endpoint in
            switch endpoint.access {
            case .family, .child: endpoint.method != .get
            case .anyone, .admin, .user: false
            }
        }
        try server.database.asOwner { owner in
            try owner.transaction {
                try owner.execute("select from feeds where family_id = \(house.family)::uuid for no key update")
                for endpoint in changing {
                    for user in [house.stranger, house.expired, house.removed, busy] {
                        let status = ask(endpoint, house, as: user).status
                        #expect([403, 404, 429].contains(status), "\(endpoint.about.name) \(user.name)")
                    }
                    if endpoint.refusal(of: .viewer) != nil {
                        #expect(ask(endpoint, house, as: house.viewer).status == 403, "\(endpoint.about.name)")
                    }
                }
                // Whoever is refused by an invite neither.
                let accept = server.send(
                    "POST", "invites/accept", as: house.stranger, ["token": "AAAAAAAAAAAAAAAAAAAAAA"])
                #expect(accept.status == 404)
            }
        }
    }
}
