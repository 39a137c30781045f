/// A sleep. A child has one that goes on at most; sleeps that overlap are kept, with a warning.
public typealias Sleep = Event<SleepDetails>
public typealias SleepID = Identifier<Sleep>

public struct SleepDetails: EventDetails {
    public enum Time: String, Codable, Hashable, Sendable, CaseIterable {
        case nap, night
    }

    public var type: Time?
    public var startedAt: Timestamp
    /// Nil while the child is asleep.
    public var endedAt: Timestamp?

    public init(type: Time? = nil, startedAt: Timestamp, endedAt: Timestamp? = nil) {
        self.type = type
        self.startedAt = startedAt
        self.endedAt = endedAt
    }

    public static let kind = EventKind(
        2, name: "sleep", plural: "sleeps", time: "started_at", end: "ended_at",
        isExclusiveWhileOngoing: true,
        fields: [
            .choice("type", of: Time.self),
            EventField("started_at", .time, required: true),
            EventField("ended_at", .time),
        ])
}
