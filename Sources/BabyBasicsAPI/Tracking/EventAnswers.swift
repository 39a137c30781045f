/// One event, under the name of its kind.
public struct EventAnswer<Details: EventDetails>: Hashable, Sendable {
    public var event: Event<Details>
    /// What a person may want to know of it. Nothing was refused.
    public var warnings: [EventWarning]

    public init(event: Event<Details>, warnings: [EventWarning] = []) {
        self.event = event
        self.warnings = warnings
    }
}

/// Something about an event that was kept that may not be meant.
public struct EventWarning: Codable, Hashable, Sendable {
    /// Open, so that a client meets a new one without failing.
    public struct Code: RawRepresentable, Codable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Another event of the kind was going on at the same time. Ends that touch do not overlap.
        public static let overlap = Code(rawValue: "OVERLAP")
        /// Another dose of the plan is nearer than its hours.
        public static let tooSoon = Code(rawValue: "TOO_SOON")
        /// It is one more than the plan allows in the caller's day.
        public static let tooMany = Code(rawValue: "TOO_MANY")
    }

    public var code: Code
    /// The other event, of the same kind.
    public var eventId: Identifier<AnyEvent>

    public init(code: Code, eventId: Identifier<AnyEvent>) {
        self.code = code
        self.eventId = eventId
    }
}

/// A page of one kind, newest first.
public struct EventList<Details: EventDetails>: Hashable, Sendable {
    public var events: [Event<Details>]
    public var count: Int
    /// What to ask for the next page with; nil at the end.
    public var nextCursor: String?

    public init(events: [Event<Details>], nextCursor: String?) {
        self.events = events
        count = events.count
        self.nextCursor = nextCursor
    }
}

extension EventAnswer: Decodable {
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: WireKey.self)
        self.init(
            event: try members.decode(Event<Details>.self, forKey: WireKey(Details.kind.name)),
            warnings: try members.decodeIfPresent([EventWarning].self, forKey: WireKey("warnings"))
                ?? [])
    }
}

extension EventList: Decodable {
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: WireKey.self)
        self.init(
            events: try members.decode([Event<Details>].self, forKey: WireKey(Details.kind.plural)),
            nextCursor: try members.decodeIfPresent(String.self, forKey: WireKey("nextCursor")))
        count = try members.decode(Int.self, forKey: WireKey("count"))
    }
}
