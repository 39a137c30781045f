// Which type an item's event is read as depends on what the item says it is.

extension TimelineItem: Decodable {
    private enum CodingKeys: CodingKey { case type, at, event, warnings }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        type = try members.decode(String.self, forKey: .type)
        at = try members.decode(Timestamp.self, forKey: .at)
        warnings = try members.decodeIfPresent([EventWarning].self, forKey: .warnings) ?? []
        func read<Details: EventDetails>(_ type: Details.Type) throws -> any AnyEventValue {
            try members.decode(Event<Details>.self, forKey: .event)
        }
        event = try EventKind.details(named: type).map { try read($0) }
    }
}

extension TimelineItem: Hashable {
    public static func == (left: Self, right: Self) -> Bool {
        left.type == right.type && left.at == right.at && left.warnings == right.warnings
            && left.event.map { AnyHashable($0) } == right.event.map { AnyHashable($0) }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(type)
        hasher.combine(at)
        hasher.combine(event?.anyID)
    }
}

extension EventBatchAnswer.Place: Decodable {
    private enum CodingKeys: CodingKey { case type, id, deleted }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self =
            if try members.decodeIfPresent(Bool.self, forKey: .deleted) == true {
                .deleted(
                    type: try members.decode(String.self, forKey: .type),
                    id: try members.decode(Identifier<AnyEvent>.self, forKey: .id))
            } else {
                .kept(try TimelineItem(from: decoder))
            }
    }
}

extension EventBatch.Item: Codable {
    private enum CodingKeys: CodingKey { case type, event }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        type = try members.decode(String.self, forKey: .type)
        guard let details = EventKind.details(named: type) else {
            throw DecodingError.dataCorruptedError(
                forKey: .type, in: members, debugDescription: "not a kind of event")
        }
        func read<Details: EventDetails>(_ type: Details.Type) throws
            -> any Codable & Hashable & Sendable
        {
            try members.decode(EventDraft<Details>.self, forKey: .event)
        }
        event = try read(details)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(type, forKey: .type)
        try members.encode(event, forKey: .event)
    }
}

extension EventBatch.Item: Hashable {
    public static func == (left: Self, right: Self) -> Bool {
        left.type == right.type && AnyHashable(left.event) == AnyHashable(right.event)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(type)
        hasher.combine(event)
    }
}

extension EventKind {
    /// The Swift type of a kind's details; nil for a kind that is not known here.
    public static func details(named name: String) -> (any EventDetails.Type)? {
        allDetails.first { $0.kind.name == name }
    }
}
