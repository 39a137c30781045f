import BabyBasicsAPI
import BabyBasicsClient
import Cryptography
import EventLoop
import FastCGI
import Foundation
import Logging
import Postgres
import SharedMemory
import Synchronization
import TestSupport

@testable import BabyBasicsKit
@testable import BabyBasicsServer

/// The real server on a database of its own, in this process. What it answers is what it answers behind nginx.
final class InProcessServer: Sendable {
    static let url = URL(string: "https://baby.example.com") ?? URL(fileURLWithPath: "/")

    /// All tests run at once, each with connections of its own.
    private static let cluster: TestCluster = {
        do {
            return try TestCluster.start(settings: ["max_connections": "500"])
        } catch {
            preconditionFailure("no PostgreSQL for the tests: \(error)")
        }
    }()

    let clock: TestClock
    private let database: TestDatabase
    private let services: Services
    private let server: Server
    private let addresses = Atomic(0)

    init(_ clock: TestClock = TestClock()) throws {
        self.clock = clock
        database = try Self.cluster.database()
        var configuration = ServerConfiguration(
            baseURL: Self.url.absoluteString, inviteKeys: [Array(repeating: 7, count: 32)],
            throttleKey: Array(repeating: 5, count: 32), adminTokens: [], deepLinkScheme: "babybasics")
        // Phones are known to it; nothing is sent, as nothing is looked for here.
        configuration.push = PushConfiguration(
            hosts: [], keys: [], subject: Self.url.absoluteString,
            apns: try APNsConfiguration(
                key: .random(), keyID: "ABC1234567", teamID: "TEAM123456", topic: "com.example.baby"))
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        services = Services(
            configuration: configuration,
            pool: Pool(
                configuration: .forServer(url: database.serverURL, connections: 3), on: TestLoop.shared,
                logger: logger),
            passwords: try PasswordHasher(
                cost: 10, concurrency: 2, limit: 64, timeout: .seconds(20), isIdle: false),
            requestCounts: try RateLimitTable(path: nil), clock: ServersClock(clock: clock), logger: logger)
        server = Server(services)
        TestLoop.shared.task { [services] in services.start() }
    }

    deinit {
        TestLoop.shared.task { [services] in
            services.drain()
            await services.close()
        }
    }

    /// Carries requests to the server, each from an address of its own: limits by address are not what is tested.
    var transport: Transport {
        Transport { [self] request, _ in
            let arrived = arrival(of: request)
            // A client that hangs up waits no more, whatever the server does.
            let answer = try await cancellable { [self] in
                await onLoop { [self] in
                    let response = await server.respond(to: arrived)
                    await services.sessionTouches.write()
                    return response
                }
            }
            let date = ("Date", clock.now.httpDate)
            return HTTPAnswer(
                status: answer.status, headers: answer.headers + [date], body: Data(answer.body))
        }
    }

    private func arrival(of request: HTTPRequest) -> Request {
        let number = addresses.add(1, ordering: .relaxed).newValue
        let path = request.url.path + (request.url.query(percentEncoded: true).map { "?\($0)" } ?? "")
        var parameters = [
            ("REQUEST_METHOD", request.method.rawValue), ("REQUEST_URI", path), ("REQUEST_ID", "kit-\(number)"),
            ("REMOTE_ADDR", "10.\(number >> 16 & 255).\(number >> 8 & 255).\(number & 255)"),
        ]
        for header in request.headers {
            let name = header.name.uppercased().replacingOccurrences(of: "-", with: "_")
            parameters.append((name == "CONTENT_TYPE" ? name : "HTTP_\(name)", header.value))
        }
        let body = request.body.map { Array($0) } ?? []
        if !body.isEmpty { parameters.append(("CONTENT_LENGTH", "\(body.count)")) }
        return Request(parameters: parameters, body: body)
    }

    /// A month goes by, and the nightly purge: whoever was away for so long has to read everything anew. Sessions are
    /// kept alive, as if their phones had come by.
    func purge() throws {
        clock.advance(.seconds(31 * 86_400))
        let now = clock.now
        try database.asOwner { connection in
            try connection.execute(
                "update sessions set created_at = \(now), expires_at = \(now.adding(.seconds(30 * 86_400)))")
            let session = connection.connection
            _ = try TestLoop.run { try await Purge(connection: session, now: now).run() }
        }
    }

    private func onLoop<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            TestLoop.shared.task { continuation.resume(returning: await body()) }
        }
    }
}

/// The test's clock, as the server asks for it.
private struct ServersClock: BabyBasicsServer.Clock {
    let clock: TestClock

    var offset: Duration { clock.now.since(.systemNow) }

    func moment() -> Timestamp { clock.ticking() }
}

/// Waits for a body, and no more once the task is cancelled.
private func cancellable<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async throws -> Value {
    let (values, continuation) = AsyncStream.makeStream(of: Value.self)
    Task { continuation.yield(await body()) }
    guard let value = await values.first(where: { _ in true }) else { throw CancellationError() }
    return value
}

extension Timestamp {
    /// `Wed, 25 Nov 2026 12:00:00 GMT`.
    fileprivate var httpDate: String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = .gmt
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: date)
    }
}
