import Postgres
import TestSupport
import Testing

struct TransactionTests {
    let fixture: Fixture
    var connection: TestConnection { fixture.connection }

    struct Stop: Error {}

    init() throws {
        fixture = try Fixture()
        try fixture.connection.script("create table t (a int primary key)")
    }

    /// What another connection sees.
    private func committed() throws -> [Int] {
        try fixture.database.asOwner {
            try $0.rows("select a from t order by a") { try $0.next(Int.self) }
        }
    }

    private func insert(_ number: Int) -> SQL { "insert into t values (\(Int32(number)))" }

    @Test func returningCommits() throws {
        let value = try connection.transaction {
            #expect(connection.isInTransaction)
            try connection.execute(insert(1))
            #expect(try committed() == [])
            return "value"
        }
        #expect(value == "value")
        #expect(!connection.isInTransaction)
        #expect(try committed() == [1])
    }

    @Test func throwingRollsBack() throws {
        #expect(throws: Stop.self) {
            try connection.transaction {
                try connection.execute(insert(1))
                throw Stop()
            }
        }
        #expect(!connection.isInTransaction)
        #expect(try committed() == [])
        try connection.execute(insert(2))
        #expect(try committed() == [2])
    }

    @Test func anErrorOfTheFirstStatementRollsBack() throws {
        try connection.execute(insert(1))
        let error = try failure { try connection.transaction { try connection.execute(insert(1)) } }
        #expect(error.sqlState == .uniqueViolation)
        try connection.execute(insert(2))
        #expect(try committed() == [1, 2])
    }

    @Test func theFirstStatementIsInsideAlready() throws {
        #expect(throws: Stop.self) {
            try connection.transaction {
                try connection.execute(insert(1))
                throw Stop()
            }
        }
        let (first, second) = try connection.transaction {
            let read = {
                try connection.first("select pg_current_xact_id()::text") {
                    try $0.next(String.self)
                }
            }
            return (try read(), try read())
        }
        #expect(first == second)
        #expect(try committed() == [])
    }

    @Test func anEmptyTransactionDoesNothing() throws {
        #expect(try connection.transaction { 7 } == 7)
        #expect(throws: Stop.self) { try connection.transaction { throw Stop() } }
        #expect(!connection.isInTransaction)
        try connection.execute(insert(1))
        #expect(try committed() == [1])
    }

    @Test func aSwallowedErrorDoesNotCommit() throws {
        let error = try failure {
            try connection.transaction {
                try connection.execute(insert(1))
                _ = try? connection.execute("select 1/\(0)")
            }
        }
        #expect(error.isTransactionAborted)
        #expect(try committed() == [])
        // As the only statement, which travels with BEGIN.
        let only = try failure {
            try connection.transaction { _ = try? connection.execute("select 1/\(0)") }
        }
        #expect(only.isTransactionAborted)
        try connection.execute(insert(2))
        #expect(try committed() == [2])
    }

    @Test func statementsAfterAnErrorAreRefused() throws {
        let error = try failure {
            try connection.transaction {
                _ = try? connection.execute("select 1/\(0)")
                try connection.execute(insert(1))
            }
        }
        #expect(error.sqlState == .inFailedTransaction)
        #expect(try committed() == [])
    }

    @Test func nestingIsMisuse() throws {
        let error = try failure {
            try connection.transaction {
                try connection.execute(insert(1))
                try connection.transaction { try connection.execute(insert(2)) }
            }
        }
        #expect(error.isMisuse)
        #expect(try committed() == [])
    }

    @Test(arguments: ["commit", "rollback"])
    func transactionControlInsideIsMisuse(_ word: String) throws {
        let error = try failure {
            try connection.transaction {
                try connection.execute(insert(1))
                try connection.execute("\(unescaped: word)")
            }
        }
        #expect(error.isMisuse)
        let script = try fixture.database.open()
        let other = try failure {
            try script.transaction { try script.script("select 1; \(word)") }
        }
        #expect(other.isMisuse)
    }

    @Test func beginOutsideIsMisuse() throws {
        let error = try failure { try connection.execute("begin") }
        #expect(error.isMisuse)
        let script = try fixture.database.open()
        #expect(try failure { try script.script("begin; select 1") }.isMisuse)
    }

    @Test func queuedStatementsTravelWithTheNext() throws {
        let count = try connection.transaction {
            try connection.enqueue(insert(1))
            try connection.enqueue(insert(2))
            return try connection.first("select count(*) from t") { try $0.next(Int.self) }
        }
        #expect(count == 2)
        try connection.transaction { try connection.enqueue(insert(3)) }
        try connection.transaction {
            try connection.execute(insert(4))
            try connection.enqueue(insert(5))
        }
        try connection.transaction {
            try connection.enqueue(insert(6))
            try connection.script("insert into t values (7); insert into t values (8)")
        }
        #expect(try committed() == [1, 2, 3, 4, 5, 6, 7, 8])
    }

    @Test func aQueuedStatementThatFailsNamesItself() throws {
        try connection.execute(insert(1))
        for statement in ["select 'next'", nil] as [SQL?] {
            let error = try failure {
                try connection.transaction {
                    try connection.execute(insert(2))
                    try connection.enqueue(insert(1))
                    if let statement { try connection.execute(statement) }
                }
            }
            #expect(error.sqlState == .uniqueViolation)
            #expect(error.sql == "insert into t values ($1)")
        }
        let only = try failure { try connection.transaction { try connection.enqueue(insert(1)) } }
        #expect(only.sqlState == .uniqueViolation)
        #expect(!connection.isInTransaction)
        #expect(try committed() == [1])
    }

    @Test func queuedStatementsOfARolledBackTransactionAreDropped() throws {
        #expect(throws: Stop.self) {
            try connection.transaction {
                try connection.enqueue(insert(1))
                throw Stop()
            }
        }
        try connection.transaction { try connection.execute(insert(2)) }
        #expect(try committed() == [2])
        #expect(try failure { try connection.enqueue(insert(3)) }.isMisuse)
    }

    @Test func aDeferredConstraintFailsAtCommit() throws {
        try connection.script(
            """
            create table c (a int constraint c_a_fkey references t
                deferrable initially deferred);
            """)
        let error = try failure {
            try connection.transaction { try connection.execute("insert into c values (\(Int32(9)))") }
        }
        #expect(error.constraint == "c_a_fkey")
        #expect(!connection.isInTransaction)
        try connection.execute(insert(1))
    }
}
