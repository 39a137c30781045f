import BabyBasicsAPI

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Finds out a type's members by decoding it: notes what the decoding asks for and answers with values that it can go on with.
///
/// So a schema follows from the very code that reads the type, and there is no second list of members to keep.
final class MemberRecorder {
    struct Member {
        /// As on the wire.
        let name: String
        let type: any Decodable.Type
        /// Whether the decoding does without it.
        let isOptional: Bool
    }

    private(set) var members: [Member] = []
    /// Asked for null, as `decodeIfPresent` does before it decodes.
    private var mayBeNull: Set<String> = []

    /// - Throws: where the type reads itself in a way that has no fixed members; such a type describes its schema itself.
    static func members<Value: Decodable>(of type: Value.Type) throws -> [Member] {
        let recorder = MemberRecorder()
        _ = try Value(from: recorder)
        return recorder.members
    }

    fileprivate func note<Value: Decodable>(_ name: String, _ type: Value.Type) throws -> Value {
        let wireName = name.snakeCase
        members.append(
            Member(name: wireName, type: type, isOptional: mayBeNull.contains(wireName)))
        guard let described = type as? any SchemaDescribed.Type else {
            return try Value(from: MemberRecorder())
        }
        let example = described.schema["examples"]?.elements.first ?? nil
        return try JSONDecoder.contract.decode(Value.self, from: Data("\(example)".utf8))
    }

    fileprivate func askForNull(_ name: String) { mayBeNull.insert(name.snakeCase) }
}

extension MemberRecorder: Decoder {
    struct NoFixedMembers: Error {}

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(RecordingContainer(recorder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NoFixedMembers() }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        throw NoFixedMembers()
    }
}

private struct RecordingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let recorder: MemberRecorder

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { true }

    func decodeNil(forKey key: Key) -> Bool {
        recorder.askForNull(key.stringValue)
        return false
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try recorder.note(key.stringValue, type)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws
        -> KeyedDecodingContainer<Nested>
    {
        throw MemberRecorder.NoFixedMembers()
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw MemberRecorder.NoFixedMembers()
    }

    func superDecoder() throws -> any Decoder { throw MemberRecorder.NoFixedMembers() }
    func superDecoder(forKey key: Key) throws -> any Decoder {
        throw MemberRecorder.NoFixedMembers()
    }
}

extension String {
    /// `dayStartTime` as `day_start_time`.
    fileprivate var snakeCase: String {
        reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
    }
}
