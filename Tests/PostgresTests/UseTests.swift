import Postgres
import TestSupport
import Testing

struct SessionUseTests {
    let database: TestDatabase

    init() throws { database = try TestCluster.shared.emptyDatabase() }

    @Test("A statement's time is the connection's, from sending it to its answer")
    func time() throws {
        try database.pool { _ in }.withConnection { connection in
            try connection.execute("select 1")
            let before = connection.use
            try connection.execute("select pg_sleep(0.05)")
            let use = connection.use
            #expect(use.nanoseconds - before.nanoseconds >= 50_000_000)
            #expect(use.roundTrips - before.roundTrips == 1)
        }
    }

    @Test("What travels together is one round trip: BEGIN and what was queued cost none")
    func roundTrips() throws {
        try database.pool { _ in }.withConnection { connection in
            try connection.transaction {
                try connection.enqueue("select 1")
                try connection.enqueue("select 2")
                try connection.execute("select 3")
                #expect(connection.use.roundTrips == 1)
            }
            #expect(connection.use.roundTrips == 2)
            #expect(throws: PostgresError.self) { try connection.execute("select 1 / 0") }
            #expect(connection.use.roundTrips == 3)
        }
    }

    @Test("Each lease begins at nothing, but for the wait that it took to get it")
    func leases() throws {
        let pool = database.pool { $0.maximumConnections = 1 }
        try pool.withConnection {
            #expect($0.use.roundTrips == 0 && $0.use.nanoseconds == 0)
            try $0.execute("select 1")
        }
        let waiting = try pool.withConnection { first in
            #expect(first.use.roundTrips == 0 && first.use.nanoseconds == 0)
            let waiting = Background { try pool.withConnection { $0.use } }
            try eventually { pool.statistics.waiting == 1 }
            try first.execute("select pg_sleep(0.05)")
            return waiting
        }
        let use = try waiting.join()
        #expect(use.waitedNanoseconds >= 50_000_000)
        #expect(use.nanoseconds == 0 && use.roundTrips == 0)
    }
}
