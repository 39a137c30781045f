import Postgres
import TestSupport
import Testing

struct SessionUseTests {
    let database: TestDatabase

    init() throws { database = try TestCluster.shared.emptyDatabase() }

    @Test("A statement's time is the session's, from sending it to its answer")
    func time() throws {
        try database.pool { _ in }.withSession { session in
            try session.execute("select 1")
            let before = session.use
            try session.execute("select pg_sleep(0.05)")
            let use = session.use
            #expect(use.nanoseconds - before.nanoseconds >= 50_000_000)
            #expect(use.roundTrips - before.roundTrips == 1)
        }
    }

    @Test("What travels together is one round trip: BEGIN and what was queued cost none")
    func roundTrips() throws {
        try database.pool { _ in }.withSession { session in
            try session.transaction {
                try session.enqueue("select 1")
                try session.enqueue("select 2")
                try session.execute("select 3")
                #expect(session.use.roundTrips == 1)
            }
            #expect(session.use.roundTrips == 2)
            #expect(throws: PostgresError.self) { try session.execute("select 1 / 0") }
            #expect(session.use.roundTrips == 3)
        }
    }

    @Test("Each lease begins at nothing, but for the wait that it took to get it")
    func leases() throws {
        let pool = database.pool { $0.maximumSessions = 1 }
        try pool.withSession {
            #expect($0.use == SessionUse())
            try $0.execute("select 1")
        }
        let waiting = try pool.withSession { first in
            #expect(first.use == SessionUse())
            let waiting = Worker { try pool.withSession { $0.use } }
            try eventually { pool.statistics.waiting == 1 }
            try first.execute("select pg_sleep(0.05)")
            return waiting
        }
        let use = try waiting.join()
        #expect(use.waitedNanoseconds >= 50_000_000)
        #expect(use.nanoseconds == 0 && use.roundTrips == 0)
    }
}
