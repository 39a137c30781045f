import BabyBasicsAPI
import FastCGI

/// The query of a request, read one parameter at a time. Every one that is not as described is noted, so that an answer names them all.
///
/// Escapes are decoded once and strictly (RFC 3986). A plus is a plus, so that an offset in a time needs no escape. Unknown parameters are ignored.
final class QueryParameters {
    private var values: [String: [String?]] = [:]
    private var problems: [ErrorBody.Detail] = []

    /// - Parameter query: what follows the question mark, byte by byte as it came: as characters a sign and an accent that follows it would be one.
    init(_ query: ArraySlice<UInt8>) {
        for part in query.split(separator: UInt8(ascii: "&")) {
            let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            guard let name = Self.decoded(part[..<equals]) else { continue }
            let value = equals == part.endIndex ? "" : Self.decoded(part[equals...].dropFirst())
            values[name, default: []].append(value)
        }
    }

    /// A parameter that may be absent. The outer nil notes a problem.
    /// - Parameter message: what it must be, where `make` answers nil.
    func optional<Value>(_ name: String, _ message: String, _ make: (String) -> Value?) -> Value?? {
        guard let given = values[name] else { return .some(nil) }
        guard given.count == 1 else { return problem(name, "must be given once", .duplicate) }
        guard let text = given[0] else { return problem(name, "is not well encoded", .format) }
        return make(text).map(Optional.some) ?? problem(name, message, .format)
    }

    /// All values, if there was no problem with any.
    /// - Throws: `APIError` 400 that names each problem.
    func all<each Value>(_ value: repeat (each Value)?) throws -> (repeat each Value) {
        guard problems.isEmpty else { throw APIError.invalid(problems) }
        func unwrap<Wrapped>(_ value: Wrapped?) throws -> Wrapped {
            guard let value else { throw APIError.unexplained }
            return value
        }
        return (repeat try unwrap(each value))
    }

    private func problem<Value>(_ name: String, _ message: String, _ reason: ErrorBody.Detail.Reason) -> Value? {
        problems.append(.init(field: name, message: message, reason: reason))
        return nil
    }

    /// Nil for a malformed escape, what is not UTF-8 then, and control characters.
    private static func decoded(_ text: ArraySlice<UInt8>) -> String? {
        var bytes: [UInt8] = []
        var rest = text.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension RequestContext {
    /// What follows the path's question mark.
    var query: QueryParameters {
        let target = request.bytes(of: "REQUEST_URI") ?? []
        return QueryParameters(target.drop { $0 != UInt8(ascii: "?") }.dropFirst())
    }
}

extension QueryParameters {
    /// `limit`, 1 to a maximum, 50 unless given. Nil notes a problem.
    func limit(maximum: Int = 200) -> Int? {
        optional("limit", "must be a whole number from 1 to \(maximum)") { text in
            guard text.utf8.count <= 4, text.utf8.allSatisfy({ (48...57).contains($0) }),
                let limit = Int(text), (1...maximum).contains(limit)
            else { return nil }
            return limit
        }.map { $0 ?? 50 }
    }

    /// `wait`, 0 to 55 whole seconds, 0 unless given. Nil notes a problem.
    func wait() -> Int? {
        optional("wait", "must be a whole number of seconds from 0 to 55") { text in
            guard text.utf8.count <= 2, text.utf8.allSatisfy({ (48...57).contains($0) }),
                let seconds = Int(text), seconds <= 55
            else { return nil }
            return seconds
        }.map { $0 ?? 0 }
    }
}
