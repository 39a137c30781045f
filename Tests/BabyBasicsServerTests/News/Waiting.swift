import BabyBasicsAPI
import EventLoop
import Foundation
import Postgres
import Synchronization
import TestSupport

@testable import BabyBasicsServer

/// How an answer to a request that waited came.
struct WaitedAnswer: Sendable {
    let answer: Answer
    let seconds: Double

    var status: Int { answer.status }
    var changes: [JSON] { answer.json["changes"].array }
    /// Far below what the request would have waited.
    var isAtOnce: Bool { seconds < 10 }
}

extension TestServer {
    /// Where a family's changes end.
    func position(in family: String, as user: TestUser) throws -> String {
        let answer = send("GET", "families/\(family)/changes?limit=200", as: user)
        return try answer.json["next_since"].number.map { String(Int($0)) }.required()
    }

    /// Asks for what comes next, and waits for it on a thread of its own. Returns once the request waits.
    func waitForChanges(
        of family: String, as user: TestUser, since: String? = nil, seconds: Int = 50
    ) throws -> Background<WaitedAnswer> {
        let since = try since ?? position(in: family, as: user)
        let before = waitingRequests
        let path = "families/\(family)/changes?since=\(since)&wait=\(seconds)"
        let waiting = Background { [self] in
            let start = Date()
            let answer = send("GET", path, as: user)
            return WaitedAnswer(answer: answer, seconds: Date().timeIntervalSince(start))
        }
        try waitUntil { self.waitingRequests > before }
        return waiting
    }

    /// Requests that wait, and not only may.
    var waitingRequests: Int {
        TestLoop.shared.sync { [services] in
            services.news.state.value.waiters.users.values.reduce(0) { $0 + $1.count }
        }
    }

    /// Has the server hear other workers, as a worker that serves does.
    func listen() throws {
        TestLoop.shared.task { [services] in await services.news.run() }
        try waitUntil { self.isListening }
    }

    var isListening: Bool { services.news.metrics.isListening.load(ordering: .relaxed) == 1 }

    /// PostgreSQL's processes behind the connections by which all workers on this database hear of each other.
    func newsProcesses() throws -> [Int32] {
        try database.asSuperuser {
            try $0.rows(
                """
                select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
                    and (query ilike 'listen%' or query like '%pg_notify%' or query like 'with copied%'
                        or query like 'select family_id, last_revision%')
                """
            ) { try $0.next(Int32.self) }
        }
    }

    /// Ends those connections.
    func interruptNews() throws {
        for process in try newsProcesses() {
            _ = try database.asSuperuser { try $0.execute("select pg_terminate_backend(\(process))") }
        }
    }

    func stopListening() { TestLoop.shared.sync { [services] in services.news.close() } }
}

/// Waits until a condition holds, for as long as a crowded machine may take.
func waitUntil(_ condition: () throws -> Bool) throws {
    for _ in 0..<2000 {
        if try condition() { return }
        Thread.sleep(forTimeInterval: 0.01)
    }
    throw Missing()
}
