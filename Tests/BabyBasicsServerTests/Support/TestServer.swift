import BabyBasicsAPI
import Cryptography
import EventLoop
import FastCGI
import Foundation
import Logging
import Postgres
import SharedMemory
import Synchronization
import TestSupport

@testable import BabyBasicsServer

/// A whole server on a database of its own, called without nginx between.
final class TestServer: Sendable {
    static let adminToken = "an admin token of at least 32 characters"
    let database: TestDatabase
    let server: Server
    let services: Services
    let clock: TestClock
    let configuration: ServerConfiguration
    let requestCounts: RateLimitTable
    let log: CapturedLog
    let mailroom = Mailroom()
    let pushServices = PushServices()
    /// Where webhooks are called, when `callWebhooks` is.
    let receivers = PushServices()
    private let addresses = Atomic<Int>(0)

    /// - Parameters:
    ///   - requestCounts: those of another server, to be a worker of the same host.
    ///   - sendsMail: to `mailroom`, when `deliver` is called.
    ///   - pushes: to `pushServices`, when `push` is called.
    init(
        inviteKeys: [UInt8] = [7], throttleKey: UInt8 = 5, adminTokens: [String] = [TestServer.adminToken],
        database: TestDatabase? = nil, requestCounts: RateLimitTable? = nil, connections: Int = 4,
        cost: Int = 10, hashingQueue: Int = 64, responseTimeout: Duration? = nil, sendsMail: Bool = false,
        pushes: PushConfiguration? = nil, registration: RegistrationPolicy = .open, logger: Logger? = nil
    ) throws {
        self.requestCounts = try requestCounts ?? RateLimitTable(path: nil)
        self.database = try database ?? TestCluster.shared.database()
        clock = TestClock()
        log = CapturedLog()
        let log = log
        let logger = logger ?? Logger(label: "test") { _ in log }
        var configuration = ServerConfiguration(
            baseURL: "https://baby.example.com",
            inviteKeys: inviteKeys.map { Array(repeating: $0, count: 32) },
            throttleKey: Array(repeating: throttleKey, count: 32),
            adminTokens: adminTokens.map { Array($0.utf8) },
            deepLinkScheme: "babybasics")
        configuration.registration = registration
        if sendsMail { configuration.mail = try Mailroom.configuration() }
        configuration.push = pushes
        self.configuration = configuration
        var pool = PoolConfiguration.forServer(
            url: self.database.serverURL, connections: connections)
        if let responseTimeout { pool.connection.responseTimeout = responseTimeout }
        services = Services(
            configuration: configuration, pool: Pool(configuration: pool, on: TestLoop.shared, logger: logger),
            // The lowest cost that is accepted, so that tests spend their time elsewhere.
            passwords: try PasswordHasher(
                cost: cost, concurrency: 2, limit: hashingQueue, timeout: .seconds(20), isIdle: false),
            requestCounts: self.requestCounts, clock: clock, mailTransport: { [mailroom] in mailroom },
            pushTransport: { [pushServices] in pushServices }, webhookTransport: { [receivers] in receivers },
            logger: logger)
        server = Server(services)
    }

    /// Sends a request, from an address of its own unless one is given, so that limits by address are only met on purpose.
    func send(
        _ method: String, _ path: String, as user: TestUser? = nil, _ body: JSON? = nil,
        headers: [String: String] = [:], from address: String? = nil
    ) -> Answer {
        send(method, path, as: user, raw: body?.text, headers: headers, from: address)
    }

    func send(
        _ method: String, _ path: String, as user: TestUser? = nil, raw body: String?,
        headers: [String: String] = [:], from address: String? = nil
    ) -> Answer {
        let request = request(method, path, as: user, raw: body, headers: headers, from: address)
        return TestLoop.shared.sync { [server, services] in
            let answer = Answer(await server.respond(to: request))
            await services.sessionTouches.write()
            return answer
        }
    }

    private func request(
        _ method: String, _ path: String, as user: TestUser? = nil, raw body: String? = nil,
        headers: [String: String] = [:], from address: String? = nil
    ) -> Request {
        let number = addresses.add(1, ordering: .relaxed).newValue
        let uri = path.hasPrefix("/") ? path : "/api/v1/\(path)"
        var parameters = [
            ("REQUEST_METHOD", method), ("REQUEST_URI", uri), ("REQUEST_ID", "test-\(number)"),
            (
                "REMOTE_ADDR",
                address ?? "10.\(number >> 16 & 255).\(number >> 8 & 255).\(number & 255)"
            ),
        ]
        if let body {
            parameters += [
                ("CONTENT_TYPE", "application/json"), ("CONTENT_LENGTH", "\(body.utf8.count)"),
            ]
        }
        if let user { parameters.append(("HTTP_AUTHORIZATION", "Bearer \(user.token)")) }
        // The first of several counts, so that a test's own come first.
        let own = headers.map { ($0.key, $0.value) }
        return Request(parameters: own + parameters, body: Array((body ?? "").utf8))
    }

    /// Makes an account with a session, past registration and its costs.
    func user(_ name: String, email: String? = nil) throws -> TestUser {
        let token = Encoding.hex(try SecureRandom.bytes(32))
        let id = UUID()
        let email = email ?? "\(id.uuidString.prefix(8).lowercased())@example.com"
        try database.execute(
            """
            insert into users (id, email, name, password_hash) values (\(id), \(email), \(name), 'none');
            """)
        try database.execute(
            """
            insert into sessions (user_id, token_hash, expires_at)
            values (\(id), \(Encoding.hex(Digest.sha256(token.utf8))), now() + interval '30 days')
            """)
        return TestUser(id: id.uuidString.lowercased(), name: name, email: email, token: token)
    }

    /// Makes a family through the API; answers its id.
    func family(
        of parent: TestUser, _ name: String = "Johnny's Family", policy: String = "standard"
    )
        throws -> String
    {
        let answer = send(
            "POST", "families", as: parent,
            ["name": .string(name), "sharing_policy": .string(policy)])
        return try answer.json["family"]["id"].string.required()
    }

    func child(of family: String, by parent: TestUser, _ name: String = "Baby Bretz") throws
        -> String
    {
        let answer = send(
            "POST", "families/\(family)/children", as: parent,
            ["name": .string(name), "date_of_birth": "2026-03-15"])
        return try answer.json["child"]["id"].string.required()
    }

    /// Makes an invite through the API; answers its token.
    func invite(to family: String, as role: String = "caregiver", by parent: TestUser) throws
        -> String
    {
        let answer = send("POST", "families/\(family)/invites", as: parent, ["role": .string(role)])
        let url = try answer.json["invite"]["join_url"].string.required()
        return String(url.suffix(22))
    }

    /// Makes an account and brings it into a family through the API.
    func member(
        _ name: String, of family: String, as role: String = "caregiver", by parent: TestUser
    )
        throws -> TestUser
    {
        let user = try user(name)
        let token = try invite(to: family, as: role, by: parent)
        let answer = send("POST", "invites/accept", as: user, ["token": .string(token)])
        guard answer.status == 201 else { throw Missing() }
        return user
    }
}

struct TestUser: Sendable {
    let id: String
    let name: String
    let email: String
    let token: String
}

/// What the server answered.
struct Answer: Sendable {
    let status: Int
    let headers: [String: String]
    let body: [UInt8]

    init(_ response: Response) {
        status = response.status
        headers = Dictionary(response.headers.map { ($0.name, $0.value) }) { "\($0), \($1)" }
        body = response.body
    }

    /// Null where the body is no JSON.
    var json: JSON { (try? JSON(body)) ?? .null }
    var code: String? { json["error"]["code"].string }
    var message: String? { json["error"]["message"].string }
    /// The fields that an error points at.
    var fields: Set<String> {
        Set(json["error"]["details"].array.compactMap { $0["field"].string })
    }
}

/// A clock that a test moves.
final class TestClock: BabyBasicsServer.Clock {
    private let moved = Mutex<Duration>(.zero)
    private let stopped = Mutex<Timestamp?>(nil)
    var offset: Duration { moved.withLock { $0 } }

    func moment() -> Timestamp { stopped.withLock { $0 } ?? SystemClock().moment().adding(offset) }

    /// Has every request from now on happen at one moment.
    func stop(at moment: Timestamp) { stopped.withLock { $0 = moment } }

    func advance(by duration: Duration) {
        moved.withLock { $0 += duration }
    }
}

/// Everything that the server logged.
final class CapturedLog: LogHandler, @unchecked Sendable {
    // `@unchecked`: the two variables that the protocol asks for are set before the first use and never after.
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .trace
    private let captured = Mutex<[String]>([])

    var lines: [String] { captured.withLock { $0 } }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        captured.withLock { $0.append("\(event.message) \(event.metadata ?? [:])") }
    }
}

/// A value that a test cannot go on without.
struct Missing: Error {}

extension Optional {
    func required() throws -> Wrapped {
        guard let self else { throw Missing() }
        return self
    }
}

/// Runs bodies at the same moment, each on a thread of its own, and waits for all.
func race<Value: Sendable>(_ count: Int, _ body: @escaping @Sendable (Int) -> Value) -> [Value] {
    let results = Mutex<[Int: Value]>([:])
    let gate = DispatchSemaphore(value: 0)
    let done = DispatchGroup()
    for index in 0..<count {
        done.enter()
        Thread.detachNewThread {
            gate.wait()
            let value = body(index)
            results.withLock { $0[index] = value }
            done.leave()
        }
    }
    for _ in 0..<count { gate.signal() }
    done.wait()
    return results.withLock { results in (0..<count).compactMap { results[$0] } }
}
