import Foundation
import Postgres
import TestSupport
import Testing

@Suite("Health")
struct HealthTests {
    @Test("However many ask, the database is asked once a second at most")
    func onceASecond() throws {
        let server = try TestServer()
        func asked() throws -> String {
            #expect(server.send("GET", "/health").status == 200)
            return try server.database.asSuperuser {
                try $0.first(
                    """
                    select max(query_start)::text from pg_stat_activity
                    where datname = current_database() and query like 'select true%'
                    """
                ) { try $0.next(String.self) }
            }.required()
        }
        // A machine that is busy may take longer than the second.
        for _ in 0..<10 {
            let start = ContinuousClock.now
            let first = try asked()
            let others = try (0..<10).map { _ in try asked() }
            guard ContinuousClock.now - start < .milliseconds(900) else {
                // The next attempt begins with an answer of its own.
                Thread.sleep(forTimeInterval: 1.1)
                continue
            }
            #expect(Set(others) == [first])
            Thread.sleep(forTimeInterval: 1.1)
            #expect(try asked() != first)
            return
        }
        Issue.record("never fast enough to tell")
    }
}
