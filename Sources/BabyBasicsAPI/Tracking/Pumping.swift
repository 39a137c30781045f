/// Milk that was pumped.
public typealias Pumping = Event<PumpingDetails>
public typealias PumpingID = Identifier<Pumping>

public struct PumpingDetails: EventDetails {
    public typealias Side = FeedingDetails.Side

    public var startedAt: Timestamp
    /// Nil while it goes on, or where nobody looked at the clock.
    public var endedAt: Timestamp?
    public var side: Side?
    /// More than 0, at most 2000 ml.
    public var amountMl: Tenths?

    public init(startedAt: Timestamp, endedAt: Timestamp? = nil, side: Side? = nil, amountMl: Tenths? = nil) {
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.side = side
        self.amountMl = amountMl
    }

    public static let kind = EventKind(
        4, name: "pumping", plural: "pumpings", time: "started_at", end: "ended_at",
        fields: [
            EventField("started_at", .time, required: true),
            EventField("ended_at", .time),
            .choice("side", of: Side.self),
            EventField("amount_ml", .number(0.1...2000)),
        ])
}
