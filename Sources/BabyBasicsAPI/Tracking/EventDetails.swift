/// What one kind of event holds besides what every event has. Its stored properties are the fields of its description.
public protocol EventDetails: Codable, Hashable, Sendable {
    static var kind: EventKind { get }
}

extension EventKind {
    /// Every kind there is. A new one needs a place at the end, a file beside this one and a migration. Its place is stored with families.
    public static let allDetails: [any EventDetails.Type] = [
        FeedingDetails.self, DiaperDetails.self, SleepDetails.self, NoteDetails.self,
        PumpingDetails.self, MeasurementDetails.self, TemperatureDetails.self, MedicationDetails.self,
        ActivityDetails.self,
    ]

    /// The descriptions, in the same order.
    public static let all: [EventKind] = allDetails.map { $0.kind }
}
