import BabyBasicsAPI
import Cryptography
import Curl
import EventLoop
import FastCGI
import Foundation
import Postgres
import Synchronization
import TestSupport

@testable import BabyBasicsServer

/// Where a test server's pushes go.
final class PushServices: PushTransport {
    struct Push: Sendable {
        let request: OutgoingRequest

        var url: String { request.url }
        func header(_ name: String) -> String? { request.headers.first { $0.name == name }?.value }
        /// Of a token that says who sends it.
        var claims: JSON {
            let token = header("Authorization")?.split(separator: ".")
            let bytes = token.flatMap { $0.count > 1 ? Encoding.bytes(base64URL: $0[1]) : nil }
            return bytes.flatMap { try? JSON($0) } ?? .null
        }
        /// Of a push to Apple.
        var json: JSON { (try? JSON(request.body)) ?? .null }
        var title: String? { json["aps"]["alert"]["title"].string }
    }

    private typealias Waiting = (push: Push, done: @Sendable (OutgoingResult) -> Void)

    private let tried = Mutex<[Push]>([])
    private let hanging = Mutex<[Waiting]>([])
    private let answer = Mutex<@Sendable (Push) -> OutgoingResult?>({ _ in .answered(OutgoingAnswer(status: 201)) })

    /// In the order in which they came.
    var pushes: [Push] { tried.withLock { $0 } }

    /// From now on a push is answered so; nil has it hang until `release`.
    func answer(_ answer: @escaping @Sendable (Push) -> OutgoingResult?) { self.answer.withLock { $0 = answer } }

    func answer(_ status: Int, retryAfter: Int? = nil, reason: String? = nil) {
        let body = reason.map { Array(#"{"reason":"\#($0)"}"#.utf8) } ?? []
        answer { _ in .answered(OutgoingAnswer(status: status, retryAfter: retryAfter, body: body)) }
    }

    /// Answers all that hang.
    func release(_ status: Int = 201) {
        let waiting = hanging.withLock { hanging in
            defer { hanging = [] }
            return hanging
        }
        for (_, done) in waiting { done(.answered(OutgoingAnswer(status: status))) }
    }

    func send(
        _ make: @escaping @Sendable () -> OutgoingRequest?, _ done: @escaping @Sendable (OutgoingResult) -> Void
    ) {
        guard let request = make() else { return done(.notMade) }
        let push = Push(request: request)
        tried.withLock { $0.append(push) }
        guard let answer = answer.withLock({ $0 })(push) else { return hanging.withLock { $0.append((push, done)) } }
        done(answer)
    }

    func close() {}

    /// - Parameter keys: the private numbers, of one byte each, the newest first.
    static func configuration(keys: [UInt8] = [1], hosts: [PushHost] = PushHost.known) throws -> PushConfiguration {
        try PushConfiguration(
            hosts: hosts,
            keys: keys.map { try P256Key(number: [UInt8](repeating: 0, count: 31) + [$0]).required() },
            subject: "mailto:baby@example.com",
            apns: APNsConfiguration(
                key: .random(), keyID: "ABC1234567", teamID: "TEAM123456", topic: "com.example.baby")
        ).required()
    }
}

/// A browser's keys: RFC 8291's example.
enum Browser {
    static let p256dh = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    static let auth = "BTBZMqHH6r4Tts7J_aSIgg"

    static func subscription(_ name: String, host: String = "fcm.googleapis.com") -> JSON {
        [
            "type": "web_push", "endpoint": .string("https://\(host)/send/\(name)"),
            "keys": ["p256dh": .string(p256dh), "auth": .string(auth)],
        ]
    }
}

extension TestServer {
    /// Names a browser; answers the device's id.
    @discardableResult
    func browser(
        of user: TestUser, _ name: String = UUID().uuidString, host: String = "fcm.googleapis.com"
    ) throws -> String {
        let answer = send("POST", "users/me/devices", as: user, Browser.subscription(name, host: host))
        return try answer.json["device"]["id"].string.required()
    }

    /// Names an iPhone; answers its token.
    @discardableResult
    func iPhone(of user: TestUser, environment: String = "production") throws -> String {
        let token = Encoding.hex(try SecureRandom.bytes(32))
        let body: JSON = ["type": "apns", "token": .string(token), "environment": .string(environment)]
        guard send("POST", "users/me/devices", as: user, body).status == 201 else { throw Missing() }
        return token
    }

    func devices(of user: TestUser) -> [JSON] {
        send("GET", "users/me/devices", as: user).json["devices"].array
    }

    /// Has a user told of something in a family, from a moment of this server's clock on.
    func tell(
        _ user: TestUser, of family: String, tag: String = "feed", _ title: String = "Fed 3 h ago",
        urgency: PushMessage.Urgency = .normal, for time: Duration = .seconds(3600)
    ) throws {
        let message = PushMessage(
            tag: tag, title: title, body: "Ada", kind: .reminder, familyID: try FamilyID(family).required(),
            eventKind: "feeding", urgency: urgency, expiresAt: clock.now().adding(time))
        let moment: SQL = "(clock_timestamp() + \(clock.offset.microseconds) * interval '1 microsecond')"
        let insert = Pushes.insert(message, for: try UserID(user.id).required(), at: moment)
        _ = try database.asServer { try $0.execute(insert) }
    }

    /// Sends what is due.
    func push() throws {
        let sender = try services.pushSender.required()
        TestLoop.shared.sync { while await sender.step() == .done {} }
    }

    func metric(_ name: String) -> Int? {
        let text = server.metrics(worker: .init(), log: .init())
        return text.split(separator: "\n").first { $0.hasPrefix("babybasics_\(name) ") }
            .flatMap { $0.split(separator: " ").last }.flatMap { Int($0) }
    }
}
