import BabyBasicsAPI
import Foundation

@testable import BabyBasicsServer

/// A body's bytes: what is accepted, and what its members are, as RFC 8259 read slowly has it, and as JSONSerialization has it.
enum JSONTarget {
    static let names = ["a", "id", "type", "amount_ml", "content", ""]

    @Sendable static func run(_ bytes: [UInt8]) {
        let mark: [UInt8] = [0xef, 0xbb, 0xbf]
        let text = bytes.starts(with: mark) ? Array(bytes.dropFirst(3)) : bytes
        let reference = ReferenceJSON(text, maximumDepth: 512)
        let fields = try? Fields(body: bytes)
        guard case .object(let members) = reference else {
            // Half a surrogate pair is no text, but the server takes the body and blames the member.
            let mayHoldHalfPair = String(decoding: bytes, as: UTF8.self).lowercased().contains(
                #"\ud"#)
            check(fields == nil || mayHoldHalfPair, "accepted, but is no JSON object")
            return
        }
        guard let fields else { fail("refused, but is a JSON object") }
        if members.count < 50 { agreesWithFoundation(text, members) }
        for name in names + members.prefix(4).compactMap({ Self.text($0.name) }) {
            compare(fields, name, reference?[name])
        }
    }

    private static func compare(_ fields: Fields, _ name: String, _ expected: ReferenceJSON?) {
        check(fields.contains(name) == (expected != nil), "whether \(name) is there")
        let text = fields.optional(name, .anything)
        let identifier = fields.optional(name, .identifier() as Rule<Identifier<Child>>)
        let object = fields.object(name)
        let number = fields.optional(
            name, .value(.number(-999_999_999.9...1_000_000_000), now: now))
        let array = fields.objects(name, count: 0...Int.max)
        switch expected {
        case nil, .null:
            check(text == .some(nil) && number == .some(nil), "\(name) is absent")
            check(object == nil && array == nil, "\(name) is absent")
        case .string(let scalars):
            guard case .some(.some(let text)) = text else { fail("\(name) is a string") }
            check(Array(text.unicodeScalars) == scalars, "the text of \(name)")
            check(object == nil && array == nil && number == nil, "\(name) is a string")
            if case .some(.some(let identifier)) = identifier {
                check(identifier.description == text.lowercased(), "\(text) read and written")
            }
        case .number(let decimal):
            check(text == nil && object == nil && array == nil, "\(name) is a number")
            let tenths = decimal.tenths.flatMap {
                (-9_999_999_999...10_000_000_000).contains($0) ? $0 : nil
            }
            let read = number.flatMap { $0?.number?.tenths }
            check(read == tenths, "\(name) is \(tenths as Int?), not \(read as Int?)")
        case .bool:
            check(text == nil && number == nil, "\(name) is a bool")
            check(object == nil && array == nil, "\(name) is a bool")
        case .array(let elements):
            check(text == nil && object == nil && number == nil, "\(name) is an array")
            guard let array, array.count == elements.count else { fail("\(name) is an array") }
            for (element, expected) in zip(array, elements).prefix(3) {
                guard case .object = expected else {
                    check(element == nil, "an element of \(name) is no object")
                    continue
                }
                guard let element else { fail("an element of \(name) is an object") }
                compare(element, "id", expected["id"])
            }
        case .object:
            check(text == nil && array == nil && number == nil, "\(name) is an object")
            guard let object else { fail("\(name) is an object") }
            compare(object, "id", expected?["id"])
        }
    }

    /// A second opinion on what is accepted; it has its own limit on depth and takes what is no object.
    private static func agreesWithFoundation(_ bytes: [UInt8], _ members: [ReferenceJSON.Member]) {
        let read = try? JSONSerialization.jsonObject(with: Data(bytes))
        guard let object = read as? [String: Any] else {
            check(mayOverflow(bytes), "JSONSerialization refuses it")
            return
        }
        let names = Set(members.compactMap { text($0.name) })
        // Of other names it has views of its own: which are equivalent, and what is no character.
        guard names.allSatisfy({ $0.utf8.allSatisfy { $0 < 0x80 } }) else { return }
        check(object.count == names.count, "JSONSerialization reads other members")
    }

    /// JSONSerialization refuses numbers that no `Double` holds.
    private static func mayOverflow(_ bytes: [UInt8]) -> Bool {
        bytes.count > 300
            || zip(bytes, bytes.dropFirst()).contains { (48...57).contains($0) && $1 | 0x20 == 101 }
    }

    static func text(_ scalars: [Unicode.Scalar]) -> String? {
        ReferenceJSON.string(scalars).string
    }

    static let now = Timestamp(microsecondsSince1970: 1_772_020_800_000_000)
}
