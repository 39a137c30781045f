/// A medicine that a child was given.
public typealias Medication = Event<MedicationDetails>
public typealias MedicationID = Identifier<Medication>

public struct MedicationDetails: EventDetails {
    public var occurredAt: Timestamp
    /// One line of 1 to 100 characters after trimming.
    public var name: String
    /// As it is said: one line of at most 50 characters.
    public var dose: String?
    /// What it is a dose of. A plan that is gone since counts no more, and is kept.
    public var planId: PlanID?

    public init(occurredAt: Timestamp, name: String, dose: String? = nil, planId: PlanID? = nil) {
        self.occurredAt = occurredAt
        self.name = name
        self.dose = dose
        self.planId = planId
    }

    public static let kind = EventKind(
        7, name: "medication", plural: "medications", time: "occurred_at",
        fields: [
            EventField("occurred_at", .time, required: true),
            EventField("name", .line(max: 100), required: true),
            EventField("dose", .line(max: 50)),
            EventField("plan_id", .identifier),
        ])
}
