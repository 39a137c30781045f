public import BabyBasicsAPI
import Foundation
import GRDB

/// A medicine that a child is to be given, as this device knows it: with its pending changes.
public struct StoredPlan: Hashable, Sendable, Identifiable {
    /// Made on the device that planned it.
    public let id: PlanID
    /// As the store has it: for `Home.delete` and Undo.
    public let entry: StoredEntry
    /// The medicine.
    public let name: String
    /// As it is said: `2.5 ml`.
    public let dose: String?
    /// Nil where there are times, or it is given when needed.
    public let everyHours: Int?
    /// `HH:MM`, in their order; nil where there are hours, or it is given when needed.
    public let times: [String]?
    /// So often at most.
    public let maxPerDay: Int?
    /// The first day.
    public let startsOn: CalendarDate
    /// The last day; nil for none.
    public let endsOn: CalendarDate?
    /// The person's notes.
    public let notes: String?

    /// Nil for an entry that is none, or that this version cannot read.
    public init?(_ entry: StoredEntry) {
        let fields = entry.fields
        guard entry.kind == PlanKind.name, let name = fields["name"]?.text,
            let startsOn = fields["starts_on"]?.text.flatMap({ CalendarDate($0) })
        else { return nil }
        func whole(_ name: String) -> Int? { fields[name]?.number.map { $0.tenths / 10 } }
        id = PlanID(entry.id)
        self.entry = entry
        self.name = name
        dose = fields["dose"]?.text
        everyHours = whole("every_hours")
        times = fields["times"]?.list
        maxPerDay = whole("max_per_day")
        self.startsOn = startsOn
        endsOn = fields["ends_on"]?.text.flatMap { CalendarDate($0) }
        notes = fields["notes"]?.text
    }

    /// When it was made.
    public var createdAt: Timestamp { entry.createdAt }

    /// Whether it holds on a day.
    public func holds(on date: CalendarDate) -> Bool { startsOn <= date && endsOn.map { date <= $0 } ?? true }
}

extension AccountStore {
    /// A child's plans, by name.
    public func plans(of child: ChildID) async throws -> [StoredPlan] {
        try await database.read { try Self.plans(of: child, $0) }
    }

    static func plans(of child: ChildID, _ db: Database) throws -> [StoredPlan] {
        typealias Columns = EntryRow.Columns
        return try EntryRow.filter(Columns.childID == child.description && Columns.kind == PlanKind.name)
            .filter(Columns.isDeleted == false).order(Columns.id).fetchShown(db).compactMap { StoredPlan($0) }
            .sorted { ($0.name.lowercased(), $0.id.description) < ($1.name.lowercased(), $1.id.description) }
    }

    /// What a child was given since then, the latest first.
    static func doses(of child: ChildID, since: Timestamp, _ db: Database) throws -> [StoredEntry] {
        try entries(of: child, EntryFilter(kinds: [MedicationDetails.kind.name], from: since, limit: 1000), db)
    }
}
