import Postgres
import TestSupport
import Testing

@testable import BabyBasicsServer

/// Requests whose first statements go over one session, one behind the other.
@Suite("Requests in line")
struct RequestsInLineTests {
    private let server: TestServer
    /// Each with a family and a child of his or her own.
    private let users: [TestUser]
    private let children: [String]

    init() throws {
        // Of two sessions one is shared.
        let server = try TestServer(sessions: 2)
        self.server = server
        users = try (0..<6).map { try server.user("User \($0)") }
        children = try users.map { user in
            try server.child(of: server.family(of: user), by: user, "Child of \(user.name)")
        }
        try server.services.pool.fill(2)
    }

    private func names(_ answer: Answer) -> [String?] {
        answer.json["children"].array.map { $0["name"].string }
    }

    @Test("Each gets its own answer, in whatever order they are waited for", arguments: [0, 1, 2])
    func crosswise(rotation: Int) throws {
        let begun = users.map { server.begin("GET", "children", as: $0) }
        #expect(Set(begun.map(\.line)).count == 1)
        #expect(begun[0].line != nil)
        let order = (0..<6).map { ($0 * 5 + rotation) % 6 }
        for index in order {
            let answer = begun[index].end()
            #expect(answer.status == 200)
            #expect(names(answer) == ["Child of User \(index)"])
        }
        #expect(server.services.pool.statistics.inUse == 0)
    }

    @Test("What is kept, and what is not, is the same as when it is asked for alone")
    func reads() throws {
        for _ in 0..<3 {
            for path in ["dashboard", "timeline", "timeline?limit=50"] {
                let paths = children.map { "children/\($0)/\(path)" }
                let begun = zip(users, paths).map { server.begin("GET", $1, as: $0) }
                #expect(begun.allSatisfy { $0.line != nil })
                let together = begun.reversed().map { $0.end() }.reversed()
                for ((user, path), answer) in zip(zip(users, paths), together) {
                    let alone = server.send("GET", path, as: user)
                    #expect(answer.status == 200)
                    #expect(answer.json == alone.json)
                }
            }
        }
    }

    @Test("Who has signed out is refused, those behind are not")
    func signOut() throws {
        #expect(server.send("POST", "auth/logout", as: users[1]).status == 204)
        let begun = users.map { server.begin("GET", "children", as: $0) }
        #expect(begun.allSatisfy { $0.line != nil })
        #expect(begun.map { $0.end().status } == [200, 401, 200, 200, 200, 200])
    }

    @Test("Where their session breaks each is answered over another")
    func brokenSession() throws {
        for _ in 0..<3 {
            let begun = try server.database.asOwner { owner in
                try owner.transaction {
                    try owner.execute("lock table families in access exclusive mode")
                    let begun = users.map { server.begin("GET", "children", as: $0) }
                    try server.database.endWaitingSessions()
                    return begun
                }
            }
            #expect(begun.allSatisfy { $0.line != nil })
            for (index, request) in begun.enumerated() {
                let answer = request.end()
                #expect(answer.status == 200)
                #expect(names(answer) == ["Child of User \(index)"])
            }
            try server.services.pool.fill(2)
        }
    }

    @Test("However many a user has in line, a hundred are let in a minute")
    func limit() throws {
        var statuses: [Int] = []
        for _ in 0..<12 {
            let begun = (0..<12).map { _ in server.begin("GET", "children", as: users[0]) }
            statuses += begun.map { $0.end().status }
        }
        #expect(Set(statuses) == [200, 429])
        // Two requests have made the family and the child.
        #expect((90...98).contains(statuses.count { $0 == 200 }))
    }
}
