import Glibc
import Postgres
import TestSupport
import Testing

struct TimeoutTests {
    @Test func statements() throws {
        let fixture = try Fixture { $0.statementTimeout = .milliseconds(50) }
        let error = try failure { try fixture.connection.execute("select pg_sleep(5)") }
        #expect(error.sqlState == .queryCanceled)
        #expect(try fixture.connection.execute("select 1") == 1)
    }

    @Test func locks() throws {
        let fixture = try Fixture { $0.lockTimeout = .milliseconds(50) }
        let other = try fixture.database.open()
        try other.script("create table t (a int)")
        try other.transaction {
            try other.execute("lock table t")
            let error = try failure { try fixture.connection.execute("select * from t") }
            #expect(error.sqlState == .lockNotAvailable)
        }
        #expect(try fixture.connection.execute("select * from t") == 0)
    }

    @Test func noLimitIsPossible() throws {
        let fixture = try Fixture {
            $0.statementTimeout = .zero
            $0.lockTimeout = .zero
            $0.idleInTransactionTimeout = .zero
            $0.connectTimeout = .zero
            $0.responseTimeout = .zero
        }
        let timeout = try fixture.connection.first("select current_setting('statement_timeout')") {
            try $0.next(String.self)
        }
        #expect(timeout == "0")
    }

    /// A server that hangs without hanging up: its process is stopped by a signal.
    @Test func aSilentServerIsGivenUp() throws {
        let fixture = try Fixture { $0.responseTimeout = .milliseconds(200) }
        let process = fixture.connection.processIdentifier
        #expect(kill(process, SIGSTOP) == 0)
        defer { kill(process, SIGCONT) }
        var error: PostgresError?
        let spent = try milliseconds {
            error = try failure { try fixture.connection.execute("select 1") }
        }
        #expect(error?.isConnectionLost == true)
        #expect((150..<2000).contains(spent))
    }
    /// The same when what is sent is more than the socket takes, so that sending has to wait.
    @Test func aSilentServerIsGivenUpWhileSendingToIt() throws {
        let database = try TestCluster.shared.emptyDatabase()
        let hung = Background {
            let connection = try database.open { $0.responseTimeout = .milliseconds(200) }
            let process = connection.processIdentifier
            #expect(kill(process, SIGSTOP) == 0)
            defer { kill(process, SIGCONT) }
            let text = String(repeating: "x", count: 8 << 20)
            return try failure { try connection.execute("select length(\(text))") }
        }
        #expect(try hung.join().isConnectionLost)
    }

    @Test func muchIsSentAndReceived() throws {
        let fixture = try Fixture()
        let text = String(repeating: "x", count: 8 << 20)
        let answer = try fixture.connection.transaction {
            for _ in 0..<3 { try fixture.connection.enqueue("select \(text)") }
            return try fixture.connection.first("select \(text)") { try $0.next(String.self) }
        }
        #expect(answer == text)
    }
}
