public import BabyBasicsAPI
import Foundation
public import Observation

/// The form that logs one thing, filled in from the last of its kind: a bottle like the last one is one touch.
@MainActor @Observable public final class LogEntry {
    /// Where the form is.
    public enum Step: Hashable, Sendable {
        /// The person fills it in.
        case editing
        /// It is logged; the entry can be taken back for ten seconds.
        case logged(Entry)
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
    /// What to say.
    public private(set) var message: Message?
    /// When it was, or began.
    public var when = When.now
    /// When it ended; nil if it goes on, or for what happens in a moment.
    public var end: When?
    /// What the person writes beside it.
    public var notes = ""

    /// How the child was fed.
    public var method = FeedingDetails.Method.bottle
    /// The side of a breast feed.
    public var side = FeedingDetails.Side.left
    /// The amount of a bottle in the device's unit; nil for none given.
    public var amount: Double?
    /// What was in the bottle.
    public var content: FeedingDetails.Content?
    /// What was eaten.
    public var food = ""
    /// What the diaper had.
    public var finding = DiaperDetails.Finding.wet
    /// Its colour.
    public var color: DiaperDetails.Color?
    /// What kind of sleep.
    public var sleepTime: SleepDetails.Time?
    /// The words of a note.
    public var text = ""
    /// Fields of other kinds by their wire names.
    public var fields: Fields = [:]

    private let home: Home
    private var isSaving = false

    /// A form for a kind and a child.
    public init(_ home: Home, kind: EventKind, child: StoredChild) {
        self.home = home
        self.kind = kind
        self.child = child
    }

    /// The unit that `amount` is in.
    public var unit: VolumeUnit { home.volumeUnit }

    /// Fills the form in from the child's last entry of the kind.
    public func fillIn() async {
        let filter = EntryFilter(kinds: [kind.name], limit: 1)
        guard let last = try? await home.store.entries(of: child.id, filter).first else { return }
        if let feeding = last.details(as: FeedingDetails.self) {
            method = feeding.type
            // The other breast is next.
            side = feeding.side == .left ? .right : feeding.side == .right ? .left : .both
            amount = feeding.amountMl.map { unit.value(of: $0) }
            content = feeding.content
        }
    }

    /// Logs it.
    public func save() async {
        guard step == .editing, !isSaving else { return }
        isSaving = true
        defer { isSaving = false }
        message = nil
        do {
            guard let fields = try values() else { return }
            let entry = try await home.log(kind: kind.name, fields, for: child)
            step = .logged(entry)
        } catch let refusal as StoreRefusal {
            var ago = ""
            if case .alreadyAsleep(let since) = refusal { ago = Texts.ago(home.now.since(since)) }
            message = Texts.refusal(refusal, child: child.name, ago: ago)
        } catch {
            message = Texts.failure(error)
        }
    }

    /// Nil where something is missing, which is said.
    private func values() throws -> Fields? {
        let at = time(when)
        let end = end.map { max(time($0), at) }
        switch kind.name {
        case "feeding":
            let milliliters = amount.map { unit.milliliters($0) }
            if method == .bottle, let milliliters, milliliters <= 0 || milliliters > 1000 {
                message = Texts.amountMissing
                return nil
            }
            return try Fields(
                FeedingDetails(
                    type: method, startedAt: at, endedAt: end,
                    side: method == .breast ? side : nil,
                    amountMl: method == .bottle ? milliliters : nil,
                    content: method == .bottle ? content : nil,
                    food: method == .solid && !food.isEmpty ? food : nil), notes: notes)
        case "diaper":
            return try Fields(
                DiaperDetails(type: finding, occurredAt: at, color: color), notes: notes)
        case "sleep":
            return try Fields(
                SleepDetails(type: sleepTime, startedAt: at, endedAt: end), notes: notes)
        case "note":
            let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
            guard !text.isEmpty else {
                message = Texts.contentMissing
                return nil
            }
            return try Fields(NoteDetails(content: text, occurredAt: at), notes: notes)
        default:
            var fields = fields
            fields[kind.fields[kind.time].name] = .text(at.description)
            if let end, let name = kind.end.map({ kind.fields[$0].name }) {
                fields[name] = .text(end.description)
            }
            if !notes.isEmpty { fields["notes"] = .text(notes) }
            return fields
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
