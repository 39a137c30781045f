import BabyBasicsAPI
import FoundationEssentials

/// One mail as it travels (RFC 5322). The same each time that it is tried.
struct MailMessage {
    let id: UUID
    let from: Mailbox
    let to: Mailbox
    let date: Timestamp
    let language: Language
    let letter: Letter
    let foot: [String]

    /// Every line ends with CRLF, and all of it is ASCII.
    var bytes: [UInt8] {
        // A line of quoted-printable cannot begin so: `=` is always followed by two digits or the end.
        let boundary = "=_\(id.uuidString.lowercased())"
        let headers = [
            ("Date", Self.text(date)), ("From", from.header), ("To", to.header), ("Subject", MailHeader.text(subject)),
            ("Message-ID", "<\(id.uuidString.lowercased())@\(from.domain)>"),
            // Nobody's holiday is answered (RFC 3834).
            ("Auto-Submitted", "auto-generated"), ("Content-Language", language.tag), ("MIME-Version", "1.0"),
            ("Content-Type", "multipart/alternative;\r\n boundary=\"\(boundary)\""),
        ]
        let parts = [
            ("plain", letter.plainText(foot: foot)), ("html", letter.html(language: language, foot: foot)),
        ]
        let text =
            headers.map { "\($0): \($1)\r\n" }.joined()
            + parts.map { kind, text in
                """
                \r\n--\(boundary)\r\nContent-Type: text/\(kind); charset=utf-8\r\n\
                Content-Transfer-Encoding: quoted-printable\r\n\r\n\(QuotedPrintable.encode(text))
                """
            }.joined() + "\r\n--\(boundary)--\r\n"
        return Array(text.utf8)
    }

    private var subject: String {
        String(String.UnicodeScalarView(letter.subject.unicodeScalars.map { $0.breaksLine ? " " : $0 }))
    }

    private static func text(_ moment: Timestamp) -> String {
        let date = moment.utcDate
        let (year, month, day) = date.components
        let seconds = Int(moment.microsecondsSince1970 / 1_000_000 - Int64(date.daysSince1970) * 86_400)
        let time = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        return
            "\(days[date.daysSince1970 % 7]), \(day) \(months[month - 1]) \(year) \(time.joined(separator: ":")) +0000"
    }
}
