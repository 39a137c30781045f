import BabyBasicsAPI
import Cryptography
import Foundation
import JSON

@testable import BabyBasicsServer
@testable import FastCGI

/// The texts that a header, a query or a member can hold: what is accepted, what it means, and that writing it gives it back.
enum ValuesTarget {
    @Sendable static func run(_ bytes: [UInt8]) {
        var input = Input(bytes)
        let first = input.byte()
        // A header ends at its first NUL: libfcgi hands out C strings.
        let form = first < 240 ? first % 12 : 12
        let bytes = form < 10 || form == 12 ? input.remaining() : input.remaining().filter { $0 != 0 }
        let text = String(decoding: bytes, as: UTF8.self)
        let clean = Array(text.utf8)
        switch form {
        case 0: time(text, clean)
        case 1: date(text, clean)
        case 2: identifier(text, clean)
        case 3: cursor(text, clean)
        case 4: position(bytes)
        case 5: precondition(text, clean)
        case 6: token(text, clean)
        case 7: name(text)
        case 8: email(text)
        case 9: contentLength(bytes)
        case 10: mediaType(text, clean)
        case 11: bearer(text, clean)
        default: device(text)
        }
    }

    private static func time(_ text: String, _ bytes: [UInt8]) {
        let time = Timestamp(text)
        let expected = ReferenceTexts.milliseconds(bytes)
        check(
            time?.microsecondsSince1970 == expected.map { Int64($0) * 1000 }, "the time \(text)")
        guard let time, (1...9999).contains(time.utcDate.components.year) else { return }
        check(Timestamp(time.description) == time, "\(time) written and read")
        var json = JSONWriter()
        time.write(to: &json)
        check(json.bytes == Array("\"\(time)\"".utf8), "\(time) in JSON")
    }

    private static func date(_ text: String, _ bytes: [UInt8]) {
        let date = CalendarDate(text)
        check(date?.daysSince1970 == ReferenceTexts.days(bytes), "the date \(text)")
        guard let date else { return }
        check(date.description == text, "\(date) written and read")
        let (year, month, day) = date.components
        let next = date.adding(years: 1)
        let expected = month == 2 && day == 29 ? (year + 1, 3, 1) : (year + 1, month, day)
        check(next.components == expected, "a year after \(date)")
    }

    private static func identifier(_ text: String, _ bytes: [UInt8]) {
        let identifier = Identifier<Child>(text)
        check((identifier != nil) == ReferenceTexts.isUUID(bytes), "the identifier \(text)")
        guard let identifier else { return }
        check(identifier.description == text.lowercased(), "\(identifier) written and read")
        var json = JSONWriter()
        identifier.write(to: &json)
        check(json.bytes == Array("\"\(identifier)\"".utf8), "\(identifier) in JSON")
    }

    private static func cursor(_ text: String, _ bytes: [UInt8]) {
        let cursor = EventCursor(text)
        let decoded = bytes.count == 32 ? ReferenceTexts.bytes(base64URL: bytes) : nil
        let time = decoded.map { $0.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) } }
        let isTime = time.map { $0.magnitude < 1 << 57 } ?? false
        check((cursor != nil) == isTime, "the cursor \(text)")
        guard let cursor else { return }
        check(cursor.at.microsecondsSince1970 == time, "the time of the cursor \(text)")
        check(cursor.text == text, "the cursor \(text) written and read")
        let end = EventCursor.before(cursor.at)
        check(!EventCursor.isNewer(end, cursor), "nothing stands before the end of its moment")
    }

    private static func position(_ bytes: [UInt8]) {
        var input = Input(bytes)
        let since = Int64(input.number() as UInt64 >> 1)
        let today = CalendarDate(daysSince1970: 20_000 + Int(input.number() as UInt16))
        let position = SyncPosition(since: since)
        check(position.since == since, "since \(since)")
        let (last, purged) = (Int64(input.number() as UInt32), Int64(input.number() as UInt32))
        let generation = Int64((input.number() as UInt32) & 0x1f_ffff)
        let feed = FeedState(generation: generation, last: last, purged: purged)
        guard position.isComplete(in: feed, today: today) else { return }
        check(position.revision <= last, "more is known than there is")
        let next = position.advanced(to: last, in: feed, today: today)
        // Below 2^53, so that every JSON reader keeps it.
        check((0..<(1 << 53)).contains(next.since), "next_since is \(next.since)")
        let again = SyncPosition(since: next.since)
        check(again.isComplete(in: feed, today: today), "next_since \(next.since) is refused")
    }

    private static func precondition(_ text: String, _ bytes: [UInt8]) {
        let condition = try? IfMatch(text)
        if bytes.isEmpty {
            check(condition == .absent, "no If-Match")
        } else if bytes == [UInt8(ascii: "*")] {
            check(condition == .anything, "If-Match: *")
        } else if let tags = ReferenceTexts.entityTags(bytes) {
            // Strong comparison is character by character (RFC 9110 8.8.3.2).
            let revisions = tags.filter { !$0.isWeak }.map {
                String(decoding: $0.tag, as: UTF8.self)
            }
            .compactMap { tag in Int64(tag).flatMap { String($0) == tag ? $0 : nil } }
            check(condition == .revisions(Set(revisions)), "If-Match: \(text)")
        } else {
            check(condition == nil, "If-Match: \(text) is no list of tags")
        }
    }

    private static func token(_ text: String, _ bytes: [UInt8]) {
        let hash = InviteSecret.hash(ofEitherForm: text)
        let isToken = bytes.count == 22 && ReferenceTexts.bytes(base64URL: bytes) != nil
        check((hash != nil) == (isToken || ReferenceTexts.isUUID(bytes)), "the token \(text)")
        let secret = InviteSecret(nonce: bytes, key: Array(repeating: 1, count: 32))
        let stored = InviteSecret.hash(ofToken: secret.token)
        check(InviteSecret.hash(ofEitherForm: secret.token) == stored, "a token's link")
        check(InviteSecret.hash(ofEitherForm: secret.uuid) == stored, "a token's deep link")
        check(
            InviteSecret.hash(ofEitherForm: secret.uuid.uppercased()) == stored, "a deep link")
    }

    private static func name(_ text: String) {
        let scalars = Array(text.unicodeScalars)
        let isSpace = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
        let trimmed = Array(
            scalars.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
        let isGood =
            (1...100).contains(trimmed.count)
            && !trimmed.contains { scalar in
                let value = scalar.value
                return value < 0x20 || (0x7f...0x9f).contains(value)
                    || (0x2028...0x202e).contains(value) || (0x2066...0x2069).contains(value)
            }
            && trimmed.contains {
                !isSpace($0) && !$0.properties.isDefaultIgnorableCodePoint && $0.value != 0x2800
            }
        let name = parse(text, .name)
        check(name.map { Array($0.unicodeScalars) } == (isGood ? trimmed : nil), "the name \(text)")
    }

    private static func email(_ text: String) {
        let email = parse(text, .email)
        let written = text.trimmed
        if written.utf8.allSatisfy({ $0 < 0x80 }) {
            let expected = ReferenceTexts.isEmail(Array(written.utf8)) ? written.lowercased() : nil
            check(email == expected, "the email \(text)")
        }
        if let email {
            check(ReferenceTexts.isEmail(Array(email.utf8)), "\(text) is stored as \(email)")
            check(parse(email, .email) == email, "\(email) read again")
        }
        let time = parse(text, .timeOfDay)
        let minutes = ReferenceTexts.milliseconds(Array("2000-01-01T\(text):00Z".utf8))
        check((time != nil) == (minutes != nil && text.utf8.count == 5), "the time of day \(text)")
        if let zone = parse(text, .timeZone) {
            let isPlain = zone.utf8.allSatisfy {
                ReferenceTexts.isAlphanumeric($0) || Array("/_+-".utf8).contains($0)
            }
            check(isPlain && zone.utf8.count <= 64, "the time zone \(text)")
        }
    }

    /// By way of a body, as every text comes.
    private static func parse<Value>(_ text: String, _ rule: Rule<Value>) -> Value? {
        var json = JSONWriter()
        json.object { $0.member("text", text) }
        guard let fields = try? Fields(body: json.bytes) else { fail("\(text) written as JSON") }
        return fields.required("text", rule)
    }

    /// What is taken as a push service's address is one, whoever reads it.
    private static func device(_ text: String) {
        if let endpoint = parse(text, .endpoint(PushHost.known)) {
            guard let url = URLComponents(string: endpoint.url), let host = url.host?.lowercased() else {
                fail("\(text) is no URL")
            }
            check(url.scheme == "https" && url.user == nil && url.fragment == nil, "the URL \(text)")
            check(url.port == nil || url.port == 443, "the port of \(text)")
            let isKnown = PushHost.known.contains { known in
                known.name.hasPrefix("*") ? host.hasSuffix(known.name.dropFirst()) : host == known.name
            }
            check(isKnown && endpoint.origin == "https://\(host)", "the host of \(text)")
        }
        if let key = parse(text, .publicKey) {
            let again = parse(Encoding.base64URL(key), .publicKey)
            check(key.count == 65 && key[0] == 4 && again == key, "the key \(text)")
        }
        if let token = parse(text, .deviceToken) {
            check(token == text.trimmed.lowercased() && token.utf8.count % 2 == 0, "the token \(text)")
        }
    }

    private static func contentLength(_ bytes: [UInt8]) {
        let length = ContentLength(bytes[...])
        let isNumber = bytes.allSatisfy { (48...57).contains($0) }
        guard isNumber else { return check(length == .malformed, "the length \(bytes)") }
        let digits = bytes.drop { $0 == 48 }
        guard digits.count < 16 else {
            guard case .bytes(let value) = length else { fail("the length \(bytes)") }
            return check(value >= 1 << 49, "the length \(bytes)")
        }
        let value = digits.reduce(0) { $0 * 10 + Int($1 - 48) }
        check(length == .bytes(min(value, 1 << 50)), "the length \(bytes)")
    }

    private static func mediaType(_ text: String, _ bytes: [UInt8]) {
        let request = Request(
            parameters: [("CONTENT_TYPE", text)], body: Array("{}".utf8))
        let context = RequestContext(
            request: request, services: LoneServer.services,
            route: Route(Endpoints.createFamily, createFamily), parameters: [])
        let isAccepted = (try? requireJSON(context)) != nil
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let type = bytes.prefix { $0 != UInt8(ascii: ";") }.drop(while: isSpace)
            .reversed().drop(while: isSpace).reversed()
            .map { (65...90).contains($0) ? $0 | 0x20 : $0 }
        check(isAccepted == (type == Array("application/json".utf8)), "the media type \(text)")
    }

    private static func bearer(_ text: String, _ bytes: [UInt8]) {
        let response = LoneServer.respond(
            Request(parameters: [
                ("REQUEST_METHOD", "GET"), ("REQUEST_URI", "/api/v1/families"),
                ("HTTP_AUTHORIZATION", text),
            ]))
        let scheme = bytes.prefix(7).map { (65...90).contains($0) ? $0 | 0x20 : $0 }
        let shown = bytes.dropFirst(7)
        let isSession = shown.count == 64 && shown.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
        let isProgram =
            shown.count == 46 && shown.starts(with: "bb_".utf8)
            && shown.dropFirst(3).allSatisfy { ReferenceTexts.isAlphanumeric($0) || Array("-_".utf8).contains($0) }
        let isToken = ["bearer ", "bearer\t"].map { Array($0.utf8) }.contains(scheme) && (isSession || isProgram)
        check(response.status == (isToken ? 500 : 401), "the header \(text)")
    }
}
