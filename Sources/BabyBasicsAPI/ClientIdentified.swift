/// A request that may carry identifiers made by the client.
///
/// Sent again, the server answers with what the first one made: whoever never got the first answer may repeat it.
public protocol ClientIdentified {
    /// Whether everything that the request makes has its identifier.
    var isIdentified: Bool { get }
}

extension NewFamily: ClientIdentified {
    public var isIdentified: Bool { id != nil }
}

extension NewChild: ClientIdentified {
    public var isIdentified: Bool { id != nil }
}

extension NewPlan: ClientIdentified {
    public var isIdentified: Bool { id != nil }
}

extension NewReminder: ClientIdentified {
    public var isIdentified: Bool { id != nil }
}

extension EventDraft: ClientIdentified {
    public var isIdentified: Bool { id != nil }
}

extension EventBatch: ClientIdentified {
    public var isIdentified: Bool {
        events.allSatisfy { ($0.event as? any ClientIdentified)?.isIdentified == true }
    }
}
