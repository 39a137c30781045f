import EventLoop
import Foundation
import Glibc
import Logging
import Synchronization

@testable import Postgres

/// Tasks that share connections to a server that fails, hangs up, falls silent and stutters as the input says: none gets another's
/// answer, and each gets one, or an error, once.
enum PipelineTarget {
    private static let server = FakePostgres()

    private static let pool: Pool = {
        var configuration = PoolConfiguration(url: "postgresql:///x?host=\(server.directory)&port=5432&user=x")
        configuration.maximumConnections = 4
        configuration.connection.responseTimeout = .milliseconds(40)
        configuration.connection.connectTimeout = .seconds(2)
        configuration.connection.maximumStatements = 4
        return Pool(
            configuration: configuration, on: LoneServer.loop,
            logger: Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() })
    }()

    private final class Findings: Sendable {
        let all = Mutex<[String]>([])

        func add(_ finding: String) { all.withLock { $0.append(finding) } }
    }

    @Sendable static func run(_ bytes: [UInt8]) {
        var input = Input(bytes)
        let tasks = 1 + Int(input.byte() % 12)
        let rounds = 1 + Int(input.byte() % 4)
        let texts = 1 + Int(input.byte() % 7)
        let changes = input.bool()
        server.play(input)
        let findings = Findings()
        let done = DispatchSemaphore(value: 0)
        let pool = pool
        LoneServer.loop.task {
            await withTaskGroup { group in
                for task in 0..<tasks {
                    group.addTask {
                        for round in 0..<rounds {
                            let number = task * 100 + round
                            do {
                                try await read(number, by: (number &* 7) % texts, pool, findings)
                                if changes, task % 4 == 0 { try await change(number, pool, findings) }
                            } catch let error as PostgresError {
                                if case .misuse = error.kind { findings.add("\(error)") }
                                if case .decoding = error.kind { findings.add("\(error)") }
                            } catch {
                                findings.add("\(error)")
                            }
                        }
                    }
                }
            }
            done.signal()
        }
        guard done.wait(timeout: .now() + 30) == .success else { fail("a task hangs") }
        for finding in findings.all.withLock({ $0 }) { fail(finding) }
        // None is left in use but those that are shared.
        check(LoneServer.loop.sync { pool.statistics }.inUse <= 2, "a connection is not given back")
    }

    private static func read(_ number: Int, by text: Int, _ pool: Pool, _ findings: Findings) async throws {
        var use = DatabaseUse()
        let rows = try await pool.read("select \(number) as \(unescaped: "t\(text)")", adding: &use) {
            try $0.next(Int.self)
        }
        if rows != [number] { findings.add("\(number) was answered \(rows)") }
    }

    private static func change(_ number: Int, _ pool: Pool, _ findings: Findings) async throws {
        try await pool.withConnection { connection in
            try await connection.transaction {
                try connection.enqueue("select \(number + 1) as queued")
                let answer = try await connection.first("select \(number) as first") { try $0.next(Int.self) }
                if answer != number { findings.add("\(number) was answered \(answer as Int?)") }
            }
        }
    }
}
