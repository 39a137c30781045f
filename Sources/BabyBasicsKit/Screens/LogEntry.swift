public import BabyBasicsAPI
import Foundation
public import Observation

/// The form that logs one thing, filled in from the last of its kind: a bottle like the last one is one touch.
@MainActor @Observable public final class LogEntry {
    /// Where the form is.
    public enum Step: Hashable, Sendable {
        /// The person fills it in.
        case editing
        /// A plan speaks against the dose: `save(anyway: true)` logs it, `goBack()` does not.
        case asking(DoseQuestion)
        /// It is logged; the entry can be taken back for ten seconds.
        case logged(StoredEntry)
    }

    /// When it was.
    public enum When: Hashable, Sendable {
        /// As it is logged.
        case now
        /// A chip: that many minutes ago.
        case minutesAgo(Int)
        /// The picker.
        case at(Timestamp)
    }

    /// The times that are one touch away.
    public static let chips: [When] = [.now, .minutesAgo(5), .minutesAgo(15), .minutesAgo(30)]

    /// The child: it is named on the button that logs.
    public var child: StoredChild
    /// The kind.
    public let kind: EventKind
    /// Where the form is.
    public private(set) var step = Step.editing
    /// The message; nil for none.
    public private(set) var message: Message?
    /// When it was, or began.
    public var when = When.now
    /// When it ended; nil if it goes on, and for what happens in a moment.
    public var end: When?
    /// The person's notes.
    public var notes = ""

    /// How the child was fed.
    public var method = FeedingDetails.Method.bottle
    /// The side of a breast feed.
    public var side = FeedingDetails.Side.left
    /// The amount of a bottle in the device's unit; nil for none given.
    public var amount: Double?
    /// The bottle's content.
    public var content: FeedingDetails.Content?
    /// The food.
    public var food = ""
    /// The finding.
    public var finding = DiaperDetails.Finding.wet
    /// Its colour.
    public var color: DiaperDetails.Color?
    /// Nap or night.
    public var sleepTime: SleepDetails.Time?
    /// The words of a note.
    public var text = ""
    /// Which side was pumped.
    public var pumpedSide: PumpingDetails.Side?
    /// In the device's unit, as the two below.
    public var weight: Double?
    /// Lying or standing.
    public var length: Double?
    /// Round the head.
    public var head: Double?
    /// The temperature in the device's unit.
    public var degrees: Double?
    /// Where it was taken.
    public var site: TemperatureDetails.Site?
    /// The name of a medicine or an activity.
    public var name = ""
    /// How much of a medicine, as it is said: `2.5 ml`.
    public var dose = ""
    /// A pumping or an activity that is over and that nobody timed; without it and without an end it goes on.
    public var isUntimed = false
    /// Medicines or activities to choose from: what this family used lately, the latest first.
    public private(set) var offers: [Offer] = []
    /// Fields of kinds that came later, by their wire names.
    public var fields: Fields = [:]

    /// A medicine or an activity that is one touch away.
    public struct Offer: Hashable, Sendable, Identifiable {
        /// Its name.
        public let id: String
        /// The last dose.
        public let dose: String?
    }

    private var chosenPlan: PlanID?
    private let home: Home
    private var isSaving = false
    private var watching: Watching?

    /// A form for a kind and a child.
    public init(_ home: Home, kind: EventKind, child: StoredChild) {
        self.home = home
        self.kind = kind
        self.child = child
        let family = child.familyID
        watching = home.store.watch { db in
            try AccountStore.children(of: family, db)
        } deliver: { [weak self] children in
            // The button names the child, by the name that it has now.
            guard let self, let now = children.first(where: { $0.id == self.child.id }) else { return }
            self.child = now
        }
    }

    /// The units that the numbers are in.
    public var units: Units { home.units }

    /// Fills the form in from the child's last entry of the kind; of feeds, from the last at the breast and the last
    /// bottle.
    public func fillIn() async {
        offers = await home.offers(kind.name, beside: child.id)
        // A hundred feeds are a week.
        let filter = EntryFilter(kinds: [kind.name], limit: 100)
        let recent = (try? await home.store.entries(of: child.id, filter)) ?? []
        guard let last = recent.first else { return }
        let feeds = recent.compactMap { $0.details(as: FeedingDetails.self) }
        method = feeds.first?.type ?? method
        if let breast = feeds.first(where: { $0.type == .breast }) {
            // The other one is next, of a feed at both sides other than the last.
            let side = breast.lastSide.flatMap { FeedingDetails.Side(rawValue: $0.rawValue) } ?? breast.side
            self.side = side == .left ? .right : side == .both ? .both : .left
        }
        if let bottle = feeds.first(where: { $0.type == .bottle }) {
            amount = bottle.amountMl.map { units.volume.value(of: $0) }
            content = bottle.content
        }
        pumpedSide = last.details(as: PumpingDetails.self)?.side
        site = last.details(as: TemperatureDetails.self)?.site
        if let medicine = last.details(as: MedicationDetails.self) {
            name = medicine.name
            dose = medicine.dose ?? ""
        }
    }

    /// The person chooses one of the offers.
    public func choose(_ offer: Offer) {
        name = offer.id
        dose = offer.dose ?? ""
    }

    /// A dose of a plan: the form is filled in with it.
    public func choose(_ plan: StoredPlan) {
        name = plan.name
        dose = plan.dose ?? ""
        chosenPlan = plan.id
    }

    /// Back from the question to the form.
    public func goBack() { if case .asking = step { step = .editing } }

    /// Logs it; a dose that a plan speaks against is asked about first.
    /// - Parameter anyway: the person has said yes to the question.
    public func save(anyway: Bool = false) async {
        if case .logged = step { return }
        guard !isSaving else { return }
        isSaving = true
        defer { isSaving = false }
        message = nil
        do {
            var fields = try values()
            if let problem = kind.problem(in: fields, texts: home.texts) {
                message = problem
                return
            }
            if kind === MedicationDetails.kind, let name = fields["name"]?.text,
                let (plan, question) = try await home.planned(child.id, name: name, plan: chosenPlan, at: time(when))
            {
                if let question, !anyway {
                    step = .asking(question)
                    return
                }
                fields["plan_id"] = .text(plan.id.description)
            }
            let entry = try await home.log(kind: kind.name, fields, for: child)
            step = .logged(entry)
        } catch let refusal as StoreRefusal {
            var ago = ""
            if case .alreadyAsleep(let since) = refusal { ago = home.texts.ago(home.now.since(since)) }
            message = home.texts.refusal(refusal, child: child.name, ago: ago)
        } catch {
            message = home.texts.failure(error)
        }
    }

    private func values() throws -> Fields {
        let at = time(when)
        let end = end.map { max(time($0), at) } ?? (isUntimed ? at : nil)
        switch kind.name {
        case "feeding":
            return try Fields(
                FeedingDetails(
                    type: method, startedAt: at, endedAt: end, side: method == .breast ? side : nil,
                    amountMl: method == .bottle ? amount.map { units.volume.milliliters($0) } : nil,
                    content: method == .bottle ? content : nil,
                    food: method == .solid ? food.trimmed : nil), notes: notes)
        case "diaper":
            return try Fields(DiaperDetails(type: finding, occurredAt: at, color: color), notes: notes)
        case "sleep":
            return try Fields(SleepDetails(type: sleepTime, startedAt: at, endedAt: end), notes: notes)
        case "note":
            return try Fields(NoteDetails(content: text.trimmed ?? "", occurredAt: at), notes: notes)
        case "pumping":
            return try Fields(
                PumpingDetails(
                    startedAt: at, endedAt: end, side: pumpedSide,
                    amountMl: amount.map { units.volume.milliliters($0) }), notes: notes)
        case "activity":
            return try Fields(
                ActivityDetails(startedAt: at, endedAt: end, name: name.trimmed ?? ""), notes: notes)
        case "medication":
            return try Fields(
                MedicationDetails(occurredAt: at, name: name.trimmed ?? "", dose: dose.trimmed), notes: notes)
        default:
            var fields = fields.merging(measured) { $1 }
            fields[kind.fields[kind.time].name] = .text(at.description)
            if let end, let name = kind.end.map({ kind.fields[$0].name }) {
                fields[name] = .text(end.description)
            }
            fields["notes"] = notes.trimmed.map { .text($0) }
            return fields
        }
    }

    /// What was measured, in the stored units. A value that is missing is said by the kind's description.
    private var measured: Fields {
        switch kind.name {
        case "discard": return amount.map { ["amount_ml": .number(units.volume.milliliters($0))] } ?? [:]
        case "measurement":
            let values = [
                "weight_g": weight.map { units.weight.grams($0) },
                "length_cm": length.map { units.length.centimeters($0) },
                "head_cm": head.map { units.length.centimeters($0) },
            ]
            return values.compactMapValues { $0.map { .number($0) } }
        case "temperature":
            var fields: Fields = [:]
            fields["celsius"] = degrees.map { .number(units.temperature.celsius($0)) }
            fields["site"] = site.map { .text($0.rawValue) }
            return fields
        default: return [:]
        }
    }

    private func time(_ when: When) -> Timestamp {
        switch when {
        case .now: home.now
        case .minutesAgo(let minutes): home.now.adding(.seconds(-60 * minutes))
        case .at(let time): time
        }
    }
}

extension String {
    /// Without white space around it; nil if nothing is left.
    var trimmed: String? {
        let text = trimmingCharacters(in: .whitespacesAndNewlines)
        return text.isEmpty ? nil : text
    }
}
