/// A feed, at the breast, from a bottle or of solid food.
public typealias Feeding = Event<FeedingDetails>
public typealias FeedingID = Identifier<Feeding>

public struct FeedingDetails: EventDetails {
    public enum Method: String, Codable, Hashable, Sendable, CaseIterable {
        case breast, bottle, solid
    }

    public enum Side: String, Codable, Hashable, Sendable, CaseIterable {
        case left, right, both
    }

    public enum LastSide: String, Codable, Hashable, Sendable, CaseIterable {
        case left, right
    }

    public enum Content: String, Codable, Hashable, Sendable, CaseIterable {
        case breastMilk = "breast_milk"
        case formula, mixed, other
    }

    public var type: Method
    public var startedAt: Timestamp
    /// Nil while it goes on, or where nobody looked at the clock.
    public var endedAt: Timestamp?
    /// Of a breast feed, which cannot be without.
    public var side: Side?
    /// Of a breast feed: whole minutes at a side, 0 to 1440. Pauses are not among them.
    public var leftMinutes: Int?
    public var rightMinutes: Int?
    /// Of a breast feed: the side that it ended at.
    public var lastSide: LastSide?
    /// Of a bottle: more than 0, at most 1000 ml.
    public var amountMl: Tenths?
    /// Of a bottle.
    public var content: Content?
    /// Of solid food: one line of at most 200 characters.
    public var food: String?

    public init(
        type: Method, startedAt: Timestamp, endedAt: Timestamp? = nil, side: Side? = nil,
        leftMinutes: Int? = nil, rightMinutes: Int? = nil, lastSide: LastSide? = nil,
        amountMl: Tenths? = nil, content: Content? = nil, food: String? = nil
    ) {
        self.type = type
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.side = side
        self.leftMinutes = leftMinutes
        self.rightMinutes = rightMinutes
        self.lastSide = lastSide
        self.amountMl = amountMl
        self.content = content
        self.food = food
    }

    public static let kind = EventKind(
        0, name: "feeding", plural: "feedings", time: "started_at", end: "ended_at",
        fields: [
            .choice("type", of: Method.self, required: true),
            EventField("started_at", .time, required: true),
            EventField("ended_at", .time),
            .choice("side", of: Side.self, required: true, types: ["breast"]),
            EventField("left_minutes", .whole(0...1440), types: ["breast"]),
            EventField("right_minutes", .whole(0...1440), types: ["breast"]),
            .choice("last_side", of: LastSide.self, types: ["breast"]),
            EventField("amount_ml", .number(0.1...1000), types: ["bottle"]),
            .choice("content", of: Content.self, types: ["bottle"]),
            EventField("food", .line(max: 200), types: ["solid"]),
        ])
}
