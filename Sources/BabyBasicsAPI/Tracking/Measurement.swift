/// How much a child has grown. Foundation has a `Measurement` already.
public typealias BodyMeasurement = Event<MeasurementDetails>
public typealias BodyMeasurementID = Identifier<BodyMeasurement>

/// At least one of weight, length and head is there.
public struct MeasurementDetails: EventDetails {
    public var occurredAt: Timestamp
    /// 200 to 60,000 g.
    public var weightG: Int?
    /// Lying or standing: 20 to 150 cm.
    public var lengthCm: Tenths?
    /// Round the head: 15 to 70 cm.
    public var headCm: Tenths?

    public init(occurredAt: Timestamp, weightG: Int? = nil, lengthCm: Tenths? = nil, headCm: Tenths? = nil) {
        self.occurredAt = occurredAt
        self.weightG = weightG
        self.lengthCm = lengthCm
        self.headCm = headCm
    }

    public static let kind = EventKind(
        5, name: "measurement", plural: "measurements", time: "occurred_at",
        atLeastOneOf: ["weight_g", "length_cm", "head_cm"],
        fields: [
            EventField("occurred_at", .time, required: true),
            EventField("weight_g", .whole(200...60_000)),
            EventField("length_cm", .number(20...150)),
            EventField("head_cm", .number(15...70)),
        ])
}
