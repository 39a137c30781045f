/// A change of diaper.
public typealias Diaper = Event<DiaperDetails>
public typealias DiaperID = Identifier<Diaper>

public struct DiaperDetails: EventDetails {
    public enum Finding: String, Codable, Hashable, Sendable, CaseIterable {
        case wet, dirty, mixed, dry
    }

    public enum Color: String, Codable, Hashable, Sendable, CaseIterable {
        case yellow, brown, green, black, red, white, other
    }

    public var type: Finding
    public var occurredAt: Timestamp
    public var color: Color?

    public init(type: Finding, occurredAt: Timestamp, color: Color? = nil) {
        self.type = type
        self.occurredAt = occurredAt
        self.color = color
    }

    public static let kind = EventKind(
        1, name: "diaper", plural: "diapers", time: "occurred_at",
        fields: [
            .choice("type", of: Finding.self, required: true),
            EventField("occurred_at", .time, required: true),
            .choice("color", of: Color.self),
        ])
}
