import Postgres
import TestSupport
import Testing

/// A statement that travels ahead of a transaction and stays whatever becomes of it.
struct PreludeTests {
    let fixture: Fixture
    var session: Session { fixture.session }
    private let count: SQL = "update counter set n = n + 1 returning n"

    struct Stop: Error {}

    init() throws {
        fixture = try Fixture()
        try fixture.session.script(
            """
            create table t (a int primary key);
            create table counter (n int8);
            insert into counter values (0);
            """)
    }

    private func insert(_ number: Int32, after prelude: SQL) throws -> (Int64?, [Int32]) {
        var first: Int64?
        let rows = try session.rows(
            "insert into t values (\(number)) returning a", after: prelude,
            reading: { first = try $0.next(Int64.self) }, making: { try $0.next(Int32.self) })
        return (first, rows)
    }

    /// What another session sees.
    private func committed() throws -> (count: Int64, rows: Int64) {
        try fixture.database.asOwner {
            try #require(
                try $0.first("select n, (select count(*) from t) from counter") {
                    (try $0.next(Int64.self), try $0.next(Int64.self))
                })
        }
    }

    @Test func bothResultsComeInOneRoundTrip() throws {
        let before = session.use.roundTrips
        let result = try session.transaction {
            let result = try insert(7, after: count)
            #expect(session.use.roundTrips == before + 1)
            #expect(try committed() == (1, 0), "committed before the transaction is")
            return result
        }
        #expect(result.0 == 1)
        #expect(result.1 == [7])
        #expect(try committed() == (1, 1))
    }

    @Test func itStaysWhenTheTransactionFails() throws {
        #expect(throws: Stop.self) {
            try session.transaction {
                _ = try insert(1, after: count)
                throw Stop()
            }
        }
        #expect(try committed() == (1, 0))
        try session.execute("insert into t values (1)")
        let error = try failure { try session.transaction { try insert(1, after: count) } }
        #expect(error.sqlState == .uniqueViolation)
        #expect(try committed() == (2, 1))
    }

    @Test func queuedStatementsBelongToTheTransaction() throws {
        #expect(throws: Stop.self) {
            try session.transaction {
                try session.enqueue("insert into t values (1)")
                #expect(try insert(2, after: count) == (1, [2]))
                throw Stop()
            }
        }
        #expect(try committed() == (1, 0))
    }

    @Test func whereItFailsTheTransactionDoes() throws {
        let error = try failure {
            try session.transaction { try insert(1, after: "select (1 / 0)::int8") }
        }
        #expect(error.sqlState?.rawValue == "22012")
        #expect(!session.isInTransaction)
        #expect(try committed() == (0, 0))
        #expect(try session.transaction { try insert(2, after: count) } == (1, [2]))
    }

    @Test func withoutARowThereIsNone() throws {
        #expect(
            try session.transaction { try insert(1, after: "update counter set n = 5 where false") }
                == (nil, [1]))
    }

    /// The plan of either may be out of date; neither runs twice for that.
    @Test(arguments: [true, false]) func aStalePlanIsMadeAnewOnce(preludeIsStale: Bool) throws {
        try session.script("create table wide (a int8); insert into wide values (4)")
        let all: SQL = "select * from wide"
        func read() throws -> (Int64?, [Int64]) {
            try session.transaction {
                var first: Int64?
                let rows = try session.rows(
                    preludeIsStale ? count : all, after: preludeIsStale ? all : count,
                    reading: { first = try $0.next() }, making: { try $0.next(Int64.self) })
                return (first, rows)
            }
        }
        _ = try read()
        try fixture.database.asOwner {
            try $0.execute("alter table wide add column b int8 default 0")
        }
        let result = try read()
        #expect(preludeIsStale ? result == (4, [2]) : result == (2, [4]))
        #expect(try committed().count == 2)
    }

    @Test func outsideATransactionBothAreCommitted() throws {
        let before = session.use.roundTrips
        #expect(try insert(1, after: count) == (1, [1]))
        #expect(session.use.roundTrips == before + 1)
        #expect(try committed() == (1, 1))
        let error = try failure { try insert(1, after: count) }
        #expect(error.sqlState == .uniqueViolation)
        #expect(try committed() == (2, 1))
    }

    @Test func itsRowIsReadAlsoWhenTheRestFails() throws {
        try session.execute("insert into t values (1)")
        var first: Int64?
        let error = try failure {
            _ = try session.rows(
                "insert into t values (1)", after: count, reading: { first = try $0.next() },
                making: { _ in })
        }
        #expect(error.sqlState == .uniqueViolation)
        #expect(first == 1)
    }

    @Test func itComesBeforeATransactionsFirstStatement() throws {
        let late = try failure {
            try session.transaction {
                try session.execute("select")
                _ = try insert(1, after: count)
            }
        }
        guard case .misuse = late.kind else { throw late }
        #expect(try committed() == (0, 0))
    }
}
