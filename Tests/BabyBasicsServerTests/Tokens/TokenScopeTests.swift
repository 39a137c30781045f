import BabyBasicsAPI
import Postgres
import TestSupport
import Testing

@testable import BabyBasicsOpenAPI
@testable import BabyBasicsServer

/// Every endpoint, asked by every kind of token: what it answers follows from what it declares.
@Suite("What tokens may do")
struct TokenScopeTests {
    private struct Tokens {
        let read: TestUser
        let log: TestUser
    }

    private func path(_ endpoint: EndpointDescription, _ house: FullHouse) -> String {
        let values = [":familyId": house.family, ":childId": house.child]
        return endpoint.path.split(separator: "/").map {
            "/" + ($0.hasPrefix(":") ? values[String($0)] ?? "01975c0e-0000-7000-8000-000000000000" : String($0))
        }.joined()
    }

    private func state(_ server: TestServer) throws -> [String] {
        try server.database.texts(
            """
            select (select sum(last_revision)::text from feeds) || ' ' || (select count(*) from audit_logs)
                || ' ' || (select count(*) from tokens) || ' ' || (select count(*) from sessions)
            """)
    }

    @Test("What is open says so: seeing a family to both scopes, logging to one, and everything else to none")
    func table() {
        let open = Endpoints.all.filter { $0.tokens != nil }
        #expect(open.allSatisfy { ($0.tokens == .read) == ($0.method == .get) })
        let families = open.filter { $0.path.contains("/families") }.map(\.path)
        #expect(Set(families) == ["/api/v1/families/:familyId", "/api/v1/families/:familyId/changes"])
        let others = open.filter { !$0.path.contains("/families") }.map(\.path)
        let kinds = EventKind.all.flatMap { kind in
            ["", "/:eventId", "/:eventId/restore"].map { "/api/v1/children/:childId/\(kind.plural)\($0)" }
        }
        let rest = ["", "/timeline", "/dashboard", "/events"].map { "/api/v1/children/:childId\($0)" }
        #expect(Set(others) == Set(kinds + rest))
    }

    @Test("Every endpoint × scope × role, and tokens that are over, answers as declared")
    func walk() throws {
        let server = try TestServer()
        let house = try FullHouse(server)
        func tokens(_ user: TestUser, in family: String? = nil) throws -> Tokens {
            let family = family ?? house.family
            return Tokens(
                read: try server.token(of: user, in: family), log: try server.token(of: user, in: family, scope: "log"))
        }
        let members: [(Role, Tokens)] = [
            (.parent, try tokens(house.parent)), (.caregiver, try tokens(house.caregiver)),
            (.viewer, try tokens(house.viewer)),
        ]
        // The same person's, of another family.
        let elsewhere = try tokens(house.parent, in: try server.family(of: house.parent, "Another"))
        var over: [TestUser] = []
        let gone = try server.member("Gone", of: house.family, by: house.owner)
        over.append(try server.token(of: gone, in: house.family, scope: "log"))
        #expect(server.send("DELETE", "families/\(house.family)/members/\(gone.id)", as: house.owner).status == 204)
        let ended = try server.member("Ended", of: house.family, by: house.owner)
        over.append(try server.token(of: ended, in: house.family, scope: "log"))
        try server.database.execute(
            "update family_members set access_until = \(server.clock.now()) where user_id = \(ended.id)::uuid")
        over.append(
            try server.token(
                of: house.parent, in: house.family, scope: "log", until: server.clock.now().adding(.seconds(1))))
        let revoked = try server.token(of: house.parent, in: house.family, scope: "log")
        #expect(server.send("DELETE", "users/me/tokens/\(revoked.id)", as: house.parent).status == 204)
        over.append(revoked)

        for endpoint in Endpoints.all where endpoint.access != .anyone && endpoint.access != .admin {
            server.clock.advance(by: .seconds(61))
            let name = endpoint.about.name
            func ask(_ token: TestUser) -> Answer {
                server.send(
                    endpoint.method.rawValue, path(endpoint, house), as: token, endpoint.takesBody ? [:] : nil)
            }
            let before = try state(server)
            for token in over { #expect(ask(token).status == 401, "\(name)") }
            for (role, tokens) in members {
                for (scope, token) in [(TokenScope.read, tokens.read), (.log, tokens.log)] {
                    guard
                        endpoint.tokens == nil || !endpoint.isOpen(toTokens: scope) || endpoint.refusal(of: role) != nil
                    else { continue }
                    let answer = ask(token)
                    let message =
                        endpoint.isOpen(toTokens: scope) ? endpoint.refusal(of: role) : "This token may not do that"
                    #expect((answer.status, answer.message) == (403, message), "\(name) \(scope) \(role)")
                }
            }
            for (scope, token) in [(TokenScope.read, elsewhere.read), (.log, elsewhere.log)] {
                let answer = ask(token)
                if !endpoint.isOpen(toTokens: scope) {
                    #expect((answer.status, answer.message) == (403, "This token may not do that"), "\(name)")
                } else if case .child = endpoint.access {
                    #expect((answer.status, answer.message) == (404, "Child not found"), "\(name)")
                } else {
                    #expect((answer.status, answer.message) == (403, "Not a member of this family"), "\(name)")
                }
            }
            #expect(try state(server) == before, "\(name): what is refused writes nothing")
            for (role, tokens) in members where endpoint.refusal(of: role) == nil {
                for (scope, token) in [(TokenScope.read, tokens.read), (.log, tokens.log)]
                where endpoint.isOpen(toTokens: scope) {
                    let answer = ask(token)
                    #expect(
                        answer.status < 500 && answer.status != 401 && answer.status != 403
                            && answer.message != "Child not found", "\(name) \(scope) \(role): \(answer.status)")
                }
            }
        }
    }
}
