import BabyBasicsAPI
import Foundation

/// Turns the fuzzer's bytes into decisions, from the front. What is at the end reads as zeros.
struct Input {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    var isEmpty: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    mutating func bool() -> Bool { byte() & 1 == 1 }

    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number {
        (0..<(Number.bitWidth / 8)).reduce(0) { value, _ in
            value << 8 | Number(truncatingIfNeeded: byte())
        }
    }

    mutating func choice<Element>(_ elements: [Element]) -> Element {
        elements[Int(byte()) % elements.count]
    }

    /// At most 255 bytes, whose number comes first.
    mutating func bytes() -> [UInt8] { bytes(Int(byte())) }

    mutating func bytes(_ count: Int) -> [UInt8] {
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// What is not UTF-8 becomes U+FFFD.
    mutating func text() -> String { String(decoding: bytes(), as: UTF8.self) }

    mutating func identifier<Entity>() -> Identifier<Entity> {
        let bytes = bytes(16) + [UInt8](repeating: 0, count: 16)
        return Identifier(
            UUID(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }))
    }

    mutating func remaining() -> [UInt8] {
        defer { rest = [] }
        return Array(rest)
    }
}
