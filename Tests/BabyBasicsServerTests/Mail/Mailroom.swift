import Curl
import EventLoop
import Foundation
import Postgres
import Synchronization
import TestSupport

@testable import BabyBasicsServer

/// Where a test server's mails go.
final class Mailroom: MailTransport {
    struct Mail: Sendable {
        let to: String
        let message: String

        /// The text of both forms, as it was before it was encoded.
        var text: String {
            var bytes: [UInt8] = []
            var rest = Array(message.replacingOccurrences(of: "=\r\n", with: "").utf8)[...]
            while let byte = rest.popFirst() {
                let digits = String(decoding: rest.prefix(2), as: UTF8.self)
                if byte == UInt8(ascii: "="), let value = UInt8(digits, radix: 16) {
                    bytes.append(value)
                    rest = rest.dropFirst(2)
                } else {
                    bytes.append(byte)
                }
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        /// The token of its link.
        func token(_ page: String) throws -> String {
            let match = text.firstMatch(of: try Regex("https://baby.example.com/\(page)/([A-Za-z0-9_-]+)"))
            return String(try match.required().output[1].substring.required())
        }

        func header(_ name: String) -> String? {
            message.replacingOccurrences(of: "\r\n ", with: " ").components(separatedBy: "\r\n")
                .first { $0.hasPrefix("\(name): ") }.map { String($0.dropFirst(name.count + 2)) }
        }
    }

    private let taken = Mutex<[Mail]>([])
    private let answer = Mutex<@Sendable (Mail) -> MailFailure?>({ _ in nil })

    /// In the order in which they came.
    var mails: [Mail] { taken.withLock { $0 } }

    /// From now on a mail fails where `answer` says so.
    func answer(_ answer: @escaping @Sendable (Mail) -> MailFailure?) { self.answer.withLock { $0 = answer } }

    func send(_ message: [UInt8], from sender: String, to recipient: String) throws(MailFailure) {
        let mail = Mail(to: recipient, message: String(decoding: message, as: UTF8.self))
        if let failure = answer.withLock({ $0 })(mail) { throw failure }
        taken.withLock { $0.append(mail) }
    }

    func close() {}

    static func configuration() throws -> MailConfiguration {
        let server = try MailServer(url: "smtps://mail.example.com").required()
        return try MailConfiguration(server: server, from: "Baby Basics <baby@example.com>").required()
    }
}

extension TestServer {
    /// Sends what is due.
    func deliver() throws {
        let sender = try services.mailSender.required()
        TestLoop.shared.sync { while await sender.step() == .done {} }
    }

    /// What was sent to somebody since the test began.
    func mails(to address: String) throws -> [Mailroom.Mail] {
        try deliver()
        return mailroom.mails.filter { $0.to == address }
    }

    /// Registers; answers the account with its session.
    func register(_ email: String, _ more: [String: JSON] = [:]) throws -> TestUser {
        let body: [String: JSON] = ["name": "Somebody", "email": .string(email), "password": .string(testPassword)]
        let answer = send("POST", "auth/register", .object(body.merging(more) { $1 }))
        guard answer.status == 201 else { throw Missing() }
        return TestUser(
            id: try answer.json["user"]["id"].string.required(), name: "Somebody", email: email,
            token: try answer.json["session"]["token"].string.required())
    }

    func isVerified(_ user: TestUser) -> Bool {
        send("GET", "users/me", as: user).json["user"]["email_verified"] == true
    }

    /// Has the account's email confirmed by its mailed link.
    func verify(_ user: TestUser) throws {
        let token = try mails(to: user.email).last.required().token("verify")
        guard send("POST", "auth/verify-email", ["token": .string(token)]).status == 204 else { throw Missing() }
    }

    func forgot(_ email: String, from address: String? = nil) -> Answer {
        send("POST", "auth/forgot-password", ["email": .string(email)], from: address)
    }

    func reset(_ token: String, _ password: String) -> Answer {
        send("POST", "auth/reset-password", ["token": .string(token), "new_password": .string(password)])
    }

    /// What the audit log says of accounts, oldest first.
    func userChanges() throws -> [String] {
        try database.texts(
            """
            select changes::text from audit_logs where entity_type = 'user' and action = 'update' order by created_at, id
            """)
    }
}
