import Postgres
import TestSupport
import Testing

@testable import BabyBasicsServer

/// Events of several families that are logged at the same moment are one transaction.
@Suite("Events in a group")
struct EventsInGroupTests {
    private let server: TestServer
    /// Each with a family and a child of his or her own.
    private let users: [TestUser]
    private let children: [String]
    private let feeding = Sample.all[0].least

    init() throws {
        let server = try TestServer(sessions: 4)
        self.server = server
        users = try (0..<6).map { try server.user("User \($0)") }
        children = try users.map { user in
            try server.child(of: server.family(of: user), by: user)
        }
        try server.services.pool.fill(4)
    }

    private func begin(_ user: Int, _ body: JSON? = nil) -> BegunRequest {
        server.begin(
            "POST", "children/\(children[user])/feedings", as: users[user], body ?? feeding)
    }

    /// Requests while the family of the first user is locked: the first waits for it, and the others come meanwhile.
    private func whileLocked(_ body: (_ first: BegunRequest) throws -> Void) throws {
        try server.database.asOwner { owner in
            try owner.transaction {
                try owner.execute(
                    "select from families where created_by = \(users[0].id)::uuid for update")
                try body(begin(0))
            }
        }
    }

    private func transactions() throws -> Int {
        Set(try server.database.texts("select xmin::text from feedings")).count
    }

    private func logged() throws -> Int { try server.database.count("feedings") }

    @Test("They are one transaction, and who waits for a lock makes nobody wait with them")
    func oneTransaction() throws {
        var first: BegunRequest?
        try whileLocked {
            first = $0
            let others = (1...5).map { begin($0) }
            #expect(Set(others.map(\.line)) == [$0.line])
            #expect($0.line != nil)
            let statuses = others.map { $0.end().status }
            #expect(statuses == Array(repeating: 201, count: 5))
            let (events, transactions) = (try logged(), try transactions())
            #expect(events == 5)
            #expect(transactions == 1)
        }
        #expect(first?.end().status == 201)
        #expect(try logged() == 6)
    }

    @Test("Each gets its own answer, and one family's numbers follow each other")
    func answers() throws {
        for round in 1...3 {
            try whileLocked { _ in
                let order = [1, 2, 1, 3, 1]
                let begun = order.enumerated().map { index, user in
                    begin(user, feeding.with(["notes": .string("\(round) \(index)")]))
                }
                let answers = begun.reversed().map { $0.end() }.reversed()
                for (index, (user, answer)) in zip(order, answers).enumerated() {
                    let event = answer.json["feeding"]
                    #expect(answer.status == 201)
                    #expect(event["notes"].string == "\(round) \(index)")
                    #expect(event["child_id"].string == children[user])
                    #expect(event["created_by"]["name"].string == "User \(user)")
                }
                let numbers = zip(order, answers).filter { $0.0 == 1 }
                    .compactMap { $0.1.json["feeding"]["revision"].number }
                #expect(numbers == [numbers[0], numbers[0] + 1, numbers[0] + 2])
            }
        }
        #expect(server.services.pool.statistics.inUse == 0)
    }

    @Test("Who may not is refused, and the others' are logged")
    func refusals() throws {
        #expect(server.send("POST", "auth/logout", as: users[1]).status == 204)
        try whileLocked { _ in
            let foreign = server.begin(
                "POST", "children/\(children[3])/feedings", as: users[2], feeding)
            let begun = [begin(1), foreign, begin(3), begin(4, ["type": "bottle"])]
            #expect(begun.map { $0.end().status } == [401, 404, 201, 400])
        }
    }

    @Test("One that the database refuses takes no other along")
    func failing() throws {
        try server.database.asOwner {
            try $0.script(
                """
                create function fail() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
                create trigger fail before insert on feedings for each row
                    when (new.child_id = '\(children[2])') execute function fail();
                """)
        }
        // Two requests have made family and child; with the 11th the counter is asked again.
        for _ in 0..<8 { #expect(server.send("GET", "children", as: users[3]).status == 200) }
        try whileLocked { _ in
            let answers = [begin(1), begin(2), begin(3)].map { $0.end() }
            #expect(answers.map(\.status) == [201, 500, 201])
            #expect(answers[2].headers["RateLimit-Remaining"] == "89", "counted once")
        }
        #expect(try logged() == 2)
    }

    @Test("Of a user's many requests a hundred a minute are let in, and only those are logged")
    func limit() throws {
        var statuses: [Int] = []
        for _ in 0..<12 {
            let begun = (0..<12).map { _ in begin(1) }
            statuses += begun.map { $0.end().status }
        }
        #expect(Set(statuses) == [201, 429])
        // Two requests have made the family and the child.
        #expect((90...98).contains(statuses.count { $0 == 201 }))
        let answered = statuses.count { $0 == 201 }
        #expect(try logged() == answered)
    }
}
