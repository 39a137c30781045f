public import BabyBasicsAPI
import Foundation
public import Observation

/// The form of one plan of medicine: made, changed, or ended. Nothing of it waits for the network.
@MainActor @Observable public final class PlanEditor {
    /// Where the form is.
    public enum Step: Hashable, Sendable {
        /// The person fills it in.
        case editing
        /// It is kept.
        case saved(StoredPlan)
        /// It is deleted; `Home.undo` takes that back.
        case deleted
    }

    /// How often it is given.
    public enum Way: Hashable, Sendable, CaseIterable {
        /// Every `hours`.
        case hours
        /// At `times`.
        case times
        /// When needed.
        case needed
    }

    /// The child.
    public let child: StoredChild
    /// The plan that is changed; nil for a new one.
    public let plan: StoredPlan?
    /// Where the form is.
    public private(set) var step = Step.editing
    /// The message; nil for none.
    public private(set) var message: Message?
    /// The medicine.
    public var name: String
    /// As it is said: `2.5 ml`.
    public var dose: String
    /// How often.
    public var way: Way
    /// Hours between two doses.
    public var hours: Int?
    /// `HH:MM`, eight at most.
    public var times: [String]
    /// So often at most in a day; nil where that isn't said.
    public var maxPerDay: Int?
    /// The first day.
    public var startsOn: CalendarDate
    /// The last day; nil until it is ended.
    public var endsOn: CalendarDate?
    /// The person's notes.
    public var notes: String
    private let home: Home
    private let before: Fields
    private var isSaving = false

    /// - Parameter plan: the one to change; nil for a new one.
    public init(_ home: Home, child: StoredChild, plan: StoredPlan? = nil) {
        self.home = home
        self.child = child
        self.plan = plan
        name = plan?.name ?? ""
        dose = plan?.dose ?? ""
        way = plan.map { $0.times != nil ? .times : $0.everyHours != nil ? .hours : .needed } ?? .hours
        hours = plan.map(\.everyHours) ?? 6
        times = plan?.times ?? ["08:00"]
        maxPerDay = plan?.maxPerDay
        startsOn = plan?.startsOn ?? home.borders.date(of: home.now)
        endsOn = plan?.endsOn
        notes = plan?.notes ?? ""
        // What others change meanwhile is not changed back.
        before = plan?.entry.fields ?? [:]
    }

    /// Keeps it, here at once and at the server when it can.
    public func save() async {
        await act { [self] in
            let fields = fields
            message = problem(in: fields)
            guard message == nil else { return }
            let kept =
                if let plan {
                    try await home.store.edit(plan.entry.id, changes(to: fields))
                } else {
                    try await home.store.log(kind: PlanKind.name, fields, for: child.id)
                }
            if let plan = StoredPlan(kept) { step = .saved(plan) }
        }
    }

    /// Deletes the plan; what was given of it stays.
    public func delete() async {
        guard let plan else { return }
        await act { [self] in
            try await home.delete(plan.entry)
            step = .deleted
        }
    }

    private func act(_ change: () async throws -> Void) async {
        guard step == .editing, !isSaving else { return }
        isSaving = true
        defer { isSaving = false }
        message = nil
        do {
            try await change()
        } catch let refusal as StoreRefusal {
            message = home.texts.refusal(refusal, child: child.name, ago: "")
        } catch {
            message = home.texts.failure(error)
        }
    }

    private var fields: Fields {
        var fields: Fields = ["starts_on": .text(startsOn.description)]
        fields["name"] = name.trimmed.map { .text($0) }
        fields["dose"] = dose.trimmed.map { .text($0) }
        fields["every_hours"] = way == .hours ? hours.map { .number(Tenths($0)) } : nil
        fields["times"] = way == .times ? .list(Set(times).sorted()) : nil
        fields["max_per_day"] = maxPerDay.map { .number(Tenths($0)) }
        fields["ends_on"] = endsOn.map { .text($0.description) }
        fields["notes"] = notes.trimmed.map { .text($0) }
        return fields
    }

    /// Of the fields that the form has: a later server may have others.
    private func changes(to fields: Fields) -> FieldChanges {
        let names = PlanKind.fields.map(\.name) + ["times", "starts_on", "ends_on"]
        return fields.changes(from: before.filter { names.contains($0.key) })
    }

    private func problem(in fields: Fields) -> Message? {
        for field in PlanKind.fields {
            if let problem = field.problem(in: fields, kind: PlanKind.name, texts: home.texts) { return problem }
        }
        if way == .hours, hours == nil { return home.texts.missing("every_hours", of: PlanKind.name) }
        if way == .times {
            let areTimes = times.allSatisfy { $0.wholeMatch(of: /([01]\d|2[0-3]):[0-5]\d/) != nil }
            guard !times.isEmpty, areTimes else { return home.texts.missing("times", of: PlanKind.name) }
            if Set(times).count > 8 { return home.texts.tooManyTimes }
        }
        return endsOn.map { $0 < startsOn } ?? false ? home.texts.endsBeforeItStarts : nil
    }
}
