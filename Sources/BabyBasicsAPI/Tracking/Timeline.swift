/// An event of any kind: `event as? Feeding`.
public protocol AnyEventValue: Decodable, Hashable, Sendable {
    static var kind: EventKind { get }
    var anyID: Identifier<AnyEvent> { get }
    var childId: ChildID { get }
    var notes: String? { get }
    var createdBy: Author { get }
    var updatedBy: Author? { get }
    var createdAt: Timestamp { get }
    var updatedAt: Timestamp { get }
    var revision: Int64 { get }
}

/// Stands for the events of all kinds where their identifiers are mixed.
public enum AnyEvent: Sendable {}

extension Event: AnyEventValue {
    public static var kind: EventKind { Details.kind }
    public var anyID: Identifier<AnyEvent> { Identifier<AnyEvent>(id.uuid) }
}

/// An event among events of other kinds.
public struct TimelineItem: Sendable {
    /// The kind's name.
    public var type: String
    /// When it began or happened.
    public var at: Timestamp
    /// Nil for a kind that this version does not know.
    public var event: (any AnyEventValue)?
    /// Of a batch's answers; the timeline has none.
    public var warnings: [EventWarning]

    public init<Details>(at: Timestamp, _ event: Event<Details>, warnings: [EventWarning] = []) {
        type = Details.kind.name
        self.at = at
        self.event = event
        self.warnings = warnings
    }
}

/// A page of events of all kinds, newest first: by `at`, then by id, both descending.
public struct Timeline: Decodable, Hashable, Sendable {
    public var events: [TimelineItem]
    public var count: Int
    /// What to ask for the next page with; nil at the end.
    public var nextCursor: String?
}

/// Events of any kinds that are made together, or not at all.
public struct EventBatch: Codable, Hashable, Sendable {
    /// 1 to 500.
    public var events: [Item]

    public init(_ events: [Item]) {
        self.events = events
    }

    public struct Item: Sendable {
        /// The kind's name.
        public var type: String
        public var event: any Codable & Hashable & Sendable

        public init<Details>(_ draft: EventDraft<Details>) {
            type = Details.kind.name
            event = draft
        }
    }
}

/// What a batch made, or found, in the order of the request.
public struct EventBatchAnswer: Decodable, Hashable, Sendable {
    public var events: [Place]
    public var count: Int

    public enum Place: Hashable, Sendable {
        /// Made now, or before by the same request.
        case kept(TimelineItem)
        /// Somebody has deleted the event with this id, and it stays so.
        case deleted(type: String, id: Identifier<AnyEvent>)
    }
}

extension EventBatchAnswer.Place {
    public var item: TimelineItem? { if case .kept(let item) = self { item } else { nil } }
}
