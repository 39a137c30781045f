/// An event to be made, or to take the place of another one.
public struct EventDraft<Details: EventDetails>: Hashable, Sendable {
    /// Made by the client, so that sending again is safe. Not read where the path names the event.
    public var id: Identifier<Event<Details>>?
    public var details: Details
    /// At most 2000 characters after trimming.
    public var notes: String?

    public init(
        id: Identifier<Event<Details>>? = nil, _ details: Details, notes: String? = nil
    ) {
        self.id = id
        self.details = details
        self.notes = notes
    }
}

extension EventDraft: Codable {
    private enum CodingKeys: CodingKey { case id, notes }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try members.decodeIfPresent(Identifier<Event<Details>>.self, forKey: .id),
            try Details(from: decoder),
            notes: try members.decodeIfPresent(String.self, forKey: .notes))
    }

    public func encode(to encoder: any Encoder) throws {
        try details.encode(to: encoder)
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(id, forKey: .id)
        try members.encodeIfPresent(notes, forKey: .notes)
    }
}

/// A merge patch (RFC 7396) of an event, by the names of its properties: `["endedAt": .time(now), "notes": .nothing]`.
///
/// A change of type takes away what belongs to the old type alone.
public struct EventChanges: Hashable, Sendable {
    public var values: [String: Value]

    public init(_ values: [String: Value] = [:]) {
        self.values = values
    }
}

extension EventChanges: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, Value)...) {
        values = Dictionary(elements) { $1 }
    }
}

extension EventChanges: Codable {
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: WireKey.self)
        values = [:]
        for key in members.allKeys {
            values[key.stringValue] = try members.decode(Value.self, forKey: key)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: WireKey.self)
        for (name, value) in values { try members.encode(value, forKey: WireKey(name)) }
    }
}

/// A member's name that is not known before it is met.
struct WireKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
