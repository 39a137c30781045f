/// Anything a child does that has a name: tummy time, a bath, a walk.
public typealias Activity = Event<ActivityDetails>
public typealias ActivityID = Identifier<Activity>

public struct ActivityDetails: EventDetails {
    public var startedAt: Timestamp
    /// Nil while it goes on, or where nobody looked at the clock.
    public var endedAt: Timestamp?
    /// One line of 1 to 60 characters after trimming.
    public var name: String

    public init(startedAt: Timestamp, endedAt: Timestamp? = nil, name: String) {
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.name = name
    }

    public static let kind = EventKind(
        8, name: "activity", plural: "activities", time: "started_at", end: "ended_at",
        fields: [
            EventField("started_at", .time, required: true),
            EventField("ended_at", .time),
            EventField("name", .line(max: 60), required: true),
        ])
}
