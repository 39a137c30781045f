import BabyBasicsAPI
import Cryptography
import EventLoop
import FastCGI
import Foundation
import Postgres
import SharedMemory
import TestSupport
import Testing

@testable import BabyBasicsServer

struct MetricsTests {
    @Test("Threads that count at once lose nothing: the sums are exact")
    func raceFree() {
        let metrics = RequestMetrics([Endpoints.getHealth.description])
        var use = DatabaseUse()
        use.nanoseconds = 3
        use.roundTrips = 2
        let (threads, requests) = (8, 20_000)
        _ = race(threads) { [use] thread in
            for number in 0..<requests {
                metrics.record(
                    route: number % 2 == 0 ? 0 : nil, status: number % 4 == 0 ? 200 : 404,
                    nanoseconds: UInt64(number % 3) * 1_000_000, database: use)
                metrics.count(refusalBy: .login)
                metrics.count(.poolTimeout)
            }
        }
        let counter = Counter()
        _ = race(threads) { _ in for _ in 0..<200_000 { counter.add() } }
        #expect(counter.value == UInt64(threads) * 200_000)

        let all = UInt64(threads * requests)
        func count(_ endpoint: Int, _ status: Int) -> UInt64 {
            let index = RequestMetrics.statuses.firstIndex(of: status) ?? 0
            return metrics.endpoints[endpoint].latencies[index].snapshot.buckets.reduce(0, +)
        }
        #expect(count(0, 200) == all / 4)
        #expect(count(0, 404) == all / 4)
        #expect(count(1, 404) == all / 2)
        let latencies = metrics.endpoints.flatMap(\.latencies).map(\.snapshot)
        let buckets = (0..<3).map { index in latencies.reduce(UInt64(0)) { $0 + $1.buckets[index] }
        }
        let perThread: [UInt64] = [6667, 6667, 6666]
        #expect(buckets == perThread.map { $0 * UInt64(threads) })
        let milliseconds = (perThread[1] + 2 * perThread[2]) * UInt64(threads)
        let recorded = latencies.reduce(UInt64(0)) { $0 + $1.nanoseconds }
        #expect(recorded == milliseconds * 1_000_000)
        #expect(metrics.endpoints.map(\.databaseNanoseconds.value).reduce(0, +) == all * 3)
        #expect(metrics.endpoints.map(\.databaseRoundTrips.value).reduce(0, +) == all * 2)
        #expect(metrics.refusals(by: .login) == all)
        #expect(metrics.refusals(by: .user) == 0)
        #expect(metrics.failures(.poolTimeout) == all)
    }

    @Test(
        "A bucket holds what took as long as its bound or less",
        arguments: [
            (0, 0), (500_000, 0), (500_001, 1), (1_000_000, 1), (10_000_000_000, 13),
            (10_000_001_000, 14), (3_600_000_000_000, 14),
        ])
    func buckets(_ nanoseconds: UInt64, _ index: Int) {
        let histogram = LatencyHistogram()
        histogram.record(nanoseconds: nanoseconds)
        #expect(histogram.snapshot.buckets.firstIndex(of: 1) == index)
        #expect(histogram.snapshot.nanoseconds == nanoseconds)
    }

    @Test("Every endpoint of the table counts for itself")
    func routes() {
        #expect(Route.all.map(\.number) == Array(Route.all.indices))
        let metrics = RequestMetrics(Route.all.map(\.endpoint))
        for route in Route.all {
            let counted = metrics.endpoints[route.number].description
            #expect(
                counted?.method == route.endpoint.method && counted?.path == route.endpoint.path)
        }
    }

    @Test("Requests are counted by pattern and status, refusals by limit, failures by cause")
    func requests() throws {
        let server = try TestServer()
        let johnny = try server.user("Johnny")
        let family = try server.family(of: johnny)
        for _ in 0..<3 {
            #expect(server.send("GET", "families/\(family)", as: johnny).status == 200)
        }
        #expect(server.send("GET", "families/\(family)").status == 401)
        #expect(server.send("GET", "nothing/\(family)").status == 404)
        for _ in 0..<7 {
            _ = server.send(
                "POST", "invites/preview", ["token": "0123456789abcdefghijkl"], from: "10.9.9.9")
        }
        let samples = server.metrics()
        let pattern = #"method="GET",route="/api/v1/families/:familyId""#
        #expect(samples["requests_total{\(pattern),status=\"200\"}"] == 3)
        #expect(samples["requests_total{\(pattern),status=\"401\"}"] == 1)
        #expect(samples["request_duration_seconds_count{\(pattern),status=\"200\"}"] == 3)
        #expect(
            samples["request_duration_seconds_bucket{\(pattern),status=\"200\",le=\"+Inf\"}"] == 3)
        #expect((samples["request_database_round_trips_total{\(pattern)}"] ?? 0) >= 3)
        #expect((samples["request_database_seconds_total{\(pattern)}"] ?? 0) > 0)
        #expect(samples[#"requests_total{method="none",route="none",status="404"}"#] == 1)
        #expect(samples[#"rate_refusals_total{limit="preview-invite"}"#] == 2)
        #expect(samples[#"rate_refusals_total{limit="login"}"#] == 0)
        #expect(samples["pool_connections_limit"] == 4)
        // What all readings share is always in use.
        #expect((0...2).contains(samples["pool_connections{state=\"in_use\"}"] ?? -1))
        #expect((samples["pool_checkouts_total"] ?? 0) >= 8)
        #expect(samples["database_available"] == 1)
    }

    @Test("What alarms watch is there, at 0, before it first happens")
    func zeros() throws {
        let samples = try TestServer().metrics()
        for route in Route.all {
            for status in [route.endpoint.success, 500, 503] {
                let labels =
                    "method=\"\(route.endpoint.method.rawValue)\",route=\"\(route.endpoint.path)\""
                #expect(samples["requests_total{\(labels),status=\"\(status)\"}"] == 0)
            }
        }
        for cause in FailureCause.allCases {
            #expect(samples["failures_total{cause=\"\(cause.label)\"}"] == 0)
        }
        #expect(samples["hashing_refused_total"] == 0 && samples["pool_timeouts_total"] == 0)
    }

    @Test("A database that is away shows as a cause, a status and a gauge")
    func outage() throws {
        var configuration = PoolConfiguration(url: "postgresql://babybasics@%2Fnowhere/none")
        configuration.checkoutTimeout = .milliseconds(100)
        let services = Services(
            configuration: try TestServer().configuration,
            pool: Pool(configuration: configuration, on: TestLoop.shared, logger: TestCluster.logger),
            passwords: try PasswordHasher(cost: 10, concurrency: 1, limit: 1, timeout: .seconds(1)),
            requestCounts: try RateLimitTable(path: nil), logger: TestCluster.logger)
        let server = Server(services)
        let token = "Bearer " + String(repeating: "a", count: 64)
        let request = Request(parameters: [
            ("REQUEST_METHOD", "GET"), ("REQUEST_URI", "/api/v1/users/me"),
            ("HTTP_AUTHORIZATION", token),
        ])
        let answer = TestLoop.shared.sync { await server.respond(to: request) }
        #expect(answer.status == 503)
        let samples = Samples(server.metrics(worker: WorkerStatistics(), log: LogStatistics()))
        #expect(samples[#"failures_total{cause="database_unavailable"}"#] == 1)
        #expect(
            samples[#"requests_total{method="GET",route="/api/v1/users/me",status="503"}"#] == 1)
        #expect(samples["database_available"] == 0)
    }

    @Test("The worker's requests, the log and the process are in it")
    func surroundings() throws {
        var worker = WorkerStatistics()
        worker.requestsInFlight = 8
        worker.timedOut = 7
        var log = LogStatistics()
        log.lines = 100
        log.dropped = 9
        let text = try TestServer().server.metrics(worker: worker, log: log)
        let samples = Samples(text)
        #expect(samples["requests_in_flight"] == 8)
        #expect(samples[#"fastcgi_failures_total{reason="timed_out"}"#] == 7)
        #expect(samples["log_lines_total"] == 100 && samples["log_lines_dropped_total"] == 9)
        #expect(samples[#"build_info{version="\#(Server.version)"}"#] == 1)
        let memory = try samples.whole["process_resident_memory_bytes"].required()
        #expect(memory > 1e6 && memory < 64e9)
        let started = try samples.whole["process_start_time_seconds"].required()
        #expect(abs(started - Date().timeIntervalSince1970) < 7200)
        #expect((samples.whole["process_open_fds"] ?? 0) > 2)
        #expect((samples.whole["process_max_fds"] ?? 0) > 2)
        #expect((samples.whole["process_cpu_seconds_total"] ?? 0) > 0)
    }

    @Test("Nothing that a client chose becomes a label")
    func privacy() throws {
        let server = try TestServer()
        let canary = "canary4d7e"
        let user = try server.user(canary, email: "\(canary)@example.com")
        let family = try server.family(of: user, canary)
        _ = server.send(canary, "families/\(family)?token=\(canary)", as: user)
        _ = server.send("GET", "\(canary)/\(canary)", headers: ["HTTP_USER_AGENT": canary])
        _ = server.send(
            "POST", "auth/login", ["email": .string("\(canary)@a.b"), "password": .string(canary)])
        let text = server.server.metrics(worker: WorkerStatistics(), log: LogStatistics())
        for secret in [canary, family, user.id, user.token, "10.0."] {
            #expect(!text.contains(secret))
        }
    }
}

/// What a worker shows, by the names and labels of its samples.
struct Samples {
    /// By the whole name.
    let whole: [String: Double]

    init(_ text: String) {
        whole = Dictionary(
            text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
                let space = $0.lastIndex(of: " ") ?? $0.endIndex
                return (String($0[..<space]), Double($0[space...].dropFirst()) ?? .nan)
            }, uniquingKeysWith: { _, _ in .nan })
    }

    subscript(_ name: String) -> Double? { whole["babybasics_\(name)"] }
}

extension TestServer {
    func metrics() -> Samples {
        Samples(server.metrics(worker: WorkerStatistics(), log: LogStatistics()))
    }
}
