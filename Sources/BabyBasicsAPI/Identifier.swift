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
        // Foundation's own reading lets white space and signs pass.
        let isUUID = zip(0..., text.utf8).allSatisfy { index, character in
            [8, 13, 18, 23].contains(index)
                ? character == UInt8(ascii: "-")
                : (48...57).contains(character) || (97...102).contains(character | 0x20)
        }
        guard isUUID, text.utf8.count == 36, let uuid = UUID(uuidString: String(text)) else {
            return nil
        }
        self.uuid = uuid
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
