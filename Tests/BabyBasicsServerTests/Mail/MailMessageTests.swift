import BabyBasicsAPI
import Curl
import Foundation
import Testing

@testable import BabyBasicsServer

@Suite("A mail as it travels")
struct MailMessageTests {
    private func message(subject: String, paragraph: String = "Hello", from: String? = nil) throws -> String {
        let message = MailMessage(
            id: UUID(), from: try Mailbox("baby@example.com", name: from).required(),
            to: try Mailbox("johnny@exämple.com").required(),
            date: Timestamp(microsecondsSince1970: 1_772_020_805_000_000), language: .en,
            letter: Letter(
                subject: subject, greeting: "Hello,", paragraphs: [paragraph],
                link: .init(label: "A <link>", url: "https://baby.example.com/?a=1&b=2"), notes: []),
            foot: ["Sent by a test"])
        return String(decoding: message.bytes, as: UTF8.self)
    }

    static let hostile = [
        "a\r\nBcc: victim@example.com", "a\nBcc: victim@example.com", "a\r\n\r\nanother body", "a\u{0}b",
        "a\u{2028}Bcc: b",
        "a\u{85}Bcc: b", "=?utf-8?Q?a=0D=0ABcc:_b?=", "\u{202e}desrever", "a\r\n.\r\nMAIL FROM:<x>",
        "\"quoted\" \\ <a@b>",
        String(repeating: "ä", count: 300), String(repeating: "👨‍👩‍👧", count: 60), String(repeating: "a", count: 1000),
    ]

    @Test("Nothing in a text makes another header, line, or end", arguments: hostile)
    func injection(_ text: String) throws {
        for message in [
            try message(subject: text), try message(subject: "A", from: text),
            try message(subject: "A", paragraph: text),
        ] {
            let lines = message.components(separatedBy: "\r\n")
            #expect(message.utf8.allSatisfy { $0 < 0x7f && ($0 >= 0x20 || $0 == 13 || $0 == 10) })
            #expect(!lines.contains { $0.contains("\n") || $0.contains("\r") })
            #expect(!lines.contains { $0.utf8.count > 998 })
            let head = try #require(lines.firstIndex(of: ""))
            let names = lines[..<head].filter { !$0.hasPrefix(" ") }.map { $0.prefix { $0 != ":" } }
            #expect(
                names == [
                    "Date", "From", "To", "Subject", "Message-ID", "Auto-Submitted", "Content-Language", "MIME-Version",
                    "Content-Type",
                ])
            #expect(!lines[head...].contains { $0.utf8.count > 76 })
            #expect(!lines[head...].contains("."))
            #expect(lines.filter { $0.hasPrefix("--=_") }.count == 3)
        }
    }

    @Test("Dates, domains and plain subjects as RFC 5322 has them")
    func headers() throws {
        let message = try message(subject: "Choose a new password")
        #expect(message.contains("Date: Wed, 25 Feb 2026 12:00:05 +0000\r\n"))
        #expect(message.contains("To: johnny@xn--exmple-cua.com\r\n"))
        #expect(message.contains("Subject: Choose a new password\r\n"))
        #expect(try self.message(subject: "Für dich").contains("Subject: =?utf-8?B?RsO8ciBkaWNo?=\r\n"))
        #expect(
            try self.message(subject: "A", from: "Baby Basics").contains("From: Baby Basics <baby@example.com>\r\n"))
        #expect(
            try self.message(subject: "A", from: "B. Basics").contains("From: \"B. Basics\" <baby@example.com>\r\n"))
    }

    @Test("HTML shows what was written, and makes nothing of it")
    func html() throws {
        let mail = Mailroom.Mail(to: "", message: try message(subject: "A", paragraph: "<b>\"Jo\"</b> & 'Ann'"))
        #expect(mail.text.contains("<p>&lt;b&gt;&quot;Jo&quot;&lt;/b&gt; &amp; 'Ann'</p>"))
        #expect(mail.text.contains("<b>\"Jo\"</b> & 'Ann'"), "the plain text")
        #expect(mail.text.contains("href=\"https://baby.example.com/?a=1&amp;b=2\""))
    }

    @Test(
        "Whom mail may be handed to without TLS is this machine alone",
        arguments: [
            ("smtp://localhost", true), ("smtp://127.0.0.1:25", true), ("smtp://[::1]:25/", true),
            ("smtp://u:p%40@127.9.9.9", true), ("smtp://mail.example.com", true),
            ("smtps://a:b@mail.example.com:465", true),
            ("http://mail.example.com", false), ("smtp://", false), ("smtp://a b", false), ("smtp://a/path", false),
            ("smtp://a@b@c", false), ("mail.example.com", false), ("smtp://host:port", false),
        ])
    func servers(url: String, isGood: Bool) {
        #expect((MailServer(url: url) != nil) == isGood)
    }

    @Test("Mailboxes as they are written")
    func mailboxes() {
        #expect(Mailbox(written: "a@example.com") == Mailbox("a@example.com"))
        #expect(Mailbox(written: "Baby Basics <a@example.com>") == Mailbox("a@example.com", name: "Baby Basics"))
        #expect(Mailbox(written: "\"Baby, Basics\" <a@example.com>") == Mailbox("a@example.com", name: "Baby, Basics"))
        #expect(Mailbox(written: "<a@exämple.com>")?.header == "a@xn--exmple-cua.com")
        for text in ["", "a", "Baby Basics", "a@b", "<>", "a <b> <c@example.com>"] {
            #expect(Mailbox(written: text) == nil)
        }
    }
}
