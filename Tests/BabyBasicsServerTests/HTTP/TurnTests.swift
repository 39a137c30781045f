import Foundation
import Postgres
import Synchronization
import TestSupport
import Testing

@testable import BabyBasicsServer
@testable import FastCGI

/// One thread of a worker takes what comes. While it waited for the database, nobody would.
@Suite("Turns")
struct TurnTests {
    private let server: TestServer
    private let parent: TestUser
    private let child: String
    private let thread = TakingThread()

    init() throws {
        server = try TestServer(sessions: 4)
        parent = try server.user("Johnny")
        child = try server.child(of: server.family(of: parent), by: parent)
        try server.services.pool.fill(4)
    }

    /// The thread that takes what comes.
    private final class TakingThread: Sendable {
        private let turnstile = Turnstile(threads: 2, width: 2)
        let turn: Turn

        init() {
            turn = Turn(turnstile)
            _ = turnstile.pass(turn)
        }
    }

    /// Begins a request and waits for the answer to its first statement.
    private func begin(_ method: String, _ path: String, as user: TestUser, _ body: JSON? = nil)
        -> BegunRequest
    {
        let begun = server.begin(method, path, as: user, body, turn: thread.turn)
        for _ in 0..<10_000 where !begun.isHere { usleep(1000) }
        #expect(begun.isHere)
        #expect(thread.turn.isTaking)
        return begun
    }

    /// Whether the thread has given up its turn when what it does has to wait for a table that somebody else keeps.
    ///
    /// - Parameter status: of the answer in the end.
    private func givesUpTurn(
        waitingFor table: String, status: Int, _ body: @escaping @Sendable () -> Answer
    ) throws -> Bool {
        #expect(thread.turn.isTaking)
        let answer = Mutex<Answer?>(nil)
        let hasGivenUp = try server.database.asOwner { owner in
            try owner.transaction {
                try owner.execute("lock table \(unescaped: table) in access exclusive mode")
                Thread.detachNewThread {
                    let own = body()
                    answer.withLock { $0 = own }
                }
                while try server.database.count(waiting) == 0, answer.withLock({ $0 == nil }) {}
                #expect(answer.withLock { $0 == nil }, "nothing was waited for")
                return !thread.turn.isTaking
            }
        }
        for _ in 0..<10_000 where answer.withLock({ $0 == nil }) { usleep(1000) }
        #expect(answer.withLock { $0?.status } == status)
        return hasGivenUp
    }

    private let waiting = """
        pg_locks where not granted
        and database = (select oid from pg_database where datname = current_database())
        """

    @Test("Who has all of the answer at once keeps it")
    func keeps() throws {
        #expect(server.send("GET", "children/\(child)/dashboard", as: parent).status == 200)
        for path in ["children", "children/\(child)/dashboard"] {
            #expect(begin("GET", path, as: parent).end().status == 200)
        }
        let feeding = Sample.all[0].least
        #expect(
            begin("POST", "children/\(child)/feedings", as: parent, feeding).end().status == 201)
        #expect(thread.turn.isTaking)
    }

    @Test("Before a session is looked for by a request that sends nothing ahead")
    func nothingAhead() throws {
        let (server, parent, turn) = (server, parent, thread.turn)
        #expect(
            try givesUpTurn(waitingFor: "sessions", status: 200) {
                server.begin("GET", "families", as: parent, turn: turn).end()
            })
    }

    @Test("Before a request is counted for its address")
    func countedForAddress() throws {
        let (server, turn) = (server, thread.turn)
        let token = JSON.string(String(repeating: "A", count: 22))
        #expect(
            try givesUpTurn(waitingFor: "address_rates", status: 404) {
                server.begin("POST", "invites/preview", as: nil, ["token": token], turn: turn).end()
            })
    }

    @Test("Before what is not kept is read", arguments: ["dashboard", "timeline"])
    func notKept(path: String) throws {
        let begun = begin("GET", "children/\(child)/\(path)", as: parent)
        #expect(try givesUpTurn(waitingFor: "users", status: 200) { begun.end() })
    }

    @Test("Before the first request ever of a user is counted")
    func firstRequest() throws {
        let begun = begin("GET", "children", as: try server.user("Jane"))
        #expect(try givesUpTurn(waitingFor: "user_rates", status: 200) { begun.end() })
    }

    @Test("Before a reading whose session has broken is repeated")
    func brokenSession() throws {
        let begun = try server.database.asOwner { owner in
            try owner.transaction {
                try owner.execute("lock table families in access exclusive mode")
                let begun = server.begin("GET", "children", as: parent, turn: thread.turn)
                try server.database.endWaitingSessions()
                return begun
            }
        }
        #expect(try givesUpTurn(waitingFor: "sessions", status: 200) { begun.end() })
    }

    @Test("Before an event is refused to somebody who is no member")
    func stranger() throws {
        let stranger = try server.user("Mallory")
        #expect(server.send("GET", "children", as: stranger).status == 200)
        let begun = begin(
            "POST", "children/\(child)/feedings", as: stranger, Sample.all[0].least)
        #expect(try givesUpTurn(waitingFor: "family_members", status: 404) { begun.end() })
    }
}
