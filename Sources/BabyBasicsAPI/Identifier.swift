#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The UUID of one kind of thing. A child's identifier cannot be given where a family's is asked for.
public struct Identifier<Entity>: Hashable, Sendable {
    public let uuid: UUID

    public init(_ uuid: UUID) {
        self.uuid = uuid
    }
}

extension Identifier: LosslessStringConvertible {
    /// Reads 36 characters of either case; nil for anything else.
    public init?(_ text: some StringProtocol) {
        // Byte by byte of a type that is not known here costs ten times as much.
        let text = String(text)
        // Foundation's own reading lets white space and signs pass.
        var digits: (UInt64, UInt64) = (0, 0)
        var position = 0
        for character in text.utf8 {
            if position == 8 || position == 13 || position == 18 || position == 23 {
                guard character == UInt8(ascii: "-") else { return nil }
            } else {
                let digit: UInt8
                switch character {
                case 48...57: digit = character - 48
                case 65...70: digit = character - 55
                case 97...102: digit = character - 87
                default: return nil
                }
                digits = (digits.0 << 4 | digits.1 >> 60, digits.1 << 4 | UInt64(digit))
            }
            position += 1
        }
        guard position == 36 else { return nil }
        let bytes = (digits.0.bigEndian, digits.1.bigEndian)
        uuid = withUnsafeBytes(of: bytes) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// Lower case, as everywhere on the wire.
    public var description: String { uuid.uuidString.lowercased() }
}

extension Identifier: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a UUID")
        }
        self = value
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

public typealias UserID = Identifier<User>
public typealias FamilyID = Identifier<Family>
public typealias ChildID = Identifier<Child>
public typealias InviteID = Identifier<Invite>
