/// Milk that was thrown away.
public typealias Discard = Event<DiscardDetails>
public typealias DiscardID = Identifier<Discard>

public struct DiscardDetails: EventDetails {
    public var occurredAt: Timestamp
    /// More than 0, at most 2000 ml.
    public var amountMl: Tenths

    public init(occurredAt: Timestamp, amountMl: Tenths) {
        self.occurredAt = occurredAt
        self.amountMl = amountMl
    }

    public static let kind = EventKind(
        9, name: "discard", plural: "discards", time: "occurred_at",
        fields: [
            EventField("occurred_at", .time, required: true),
            EventField("amount_ml", .number(0.1...2000), required: true),
        ])
}
