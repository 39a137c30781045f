/// What one kind of event holds besides what every event has. Its stored properties are the fields of its description.
public protocol EventDetails: Codable, Hashable, Sendable {
    static var kind: EventKind { get }
}

extension EventKind {
    /// Every kind there is, by number. A new one needs a file beside this one and a line at the end; a field of a new name also a migration
    /// that gives `events` a column.
    public static let allDetails: [any EventDetails.Type] = [
        FeedingDetails.self, DiaperDetails.self, SleepDetails.self, NoteDetails.self,
        PumpingDetails.self, MeasurementDetails.self, TemperatureDetails.self, MedicationDetails.self,
        ActivityDetails.self, DiscardDetails.self,
    ]

    /// The descriptions, in the same order.
    public static let all: [EventKind] = allDetails.map { $0.kind }
}
