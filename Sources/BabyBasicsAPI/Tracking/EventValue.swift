extension EventChanges {
    /// The value of one field of an event, whatever its kind.
    public enum Value: Hashable, Sendable {
        case nothing
        case text(String)
        case time(Timestamp)
        case number(Tenths)
        case flag(Bool)

        public var time: Timestamp? { if case .time(let time) = self { time } else { nil } }
        public var text: String? { if case .text(let text) = self { text } else { nil } }
        public var number: Tenths? { if case .number(let number) = self { number } else { nil } }
        public var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }

        /// For `child_id` of a patch: another child of the same family.
        public static func child(_ id: ChildID) -> Value { .text(id.description) }
    }
}

extension EventChanges.Value: Codable {
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        self =
            if value.decodeNil() {
                .nothing
            } else if let text = try? value.decode(String.self) {
                Timestamp(text).map(Self.time) ?? .text(text)
            } else if let flag = try? value.decode(Bool.self) {
                .flag(flag)
            } else {
                .number(try value.decode(Tenths.self))
            }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .nothing: try container.encodeNil()
        case .text(let text): try container.encode(text)
        case .time(let time): try container.encode(time)
        case .number(let number): try container.encode(number)
        case .flag(let flag): try container.encode(flag)
        }
    }
}
