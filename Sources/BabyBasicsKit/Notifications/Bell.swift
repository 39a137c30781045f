public import BabyBasicsAPI
import Foundation
public import Observation

/// The bell beside a clock: after what time this person is told. At a tap that sets one, and only there, an app asks iOS
/// whether it may tell; a "no" is lived with, as what is due is on Today.
@MainActor @Observable public final class Bell {
    /// Something to choose.
    public struct Choice: Hashable, Sendable, Identifiable {
        /// So long after the last one; zero for a dose that is due; nil for not at all.
        public let after: Duration?
        /// `2½ h`, `Off`.
        public let text: String
        /// Its words.
        public var id: String { text }
    }

    /// `After the start of Wren's last feed`.
    public var title: String { home.texts.bell(about, child: name, plan: plan ?? "") }
    /// What it is set to; nil for nothing.
    public private(set) var reminder: StoredReminder?
    /// The message; nil for none.
    public private(set) var message: Message?
    private let home: Home
    private let about: StoredReminder.About
    private let child: ChildID
    private let name: String
    private let plan: String?
    private var watching: Watching?

    /// - Parameter plan: the name of the plan that it is about, where it is about one.
    public init(_ home: Home, about: StoredReminder.About, child: StoredChild, plan: String? = nil) {
        self.home = home
        self.about = about
        self.child = child.id
        name = child.name
        self.plan = plan
        let id = child.id
        watching = home.store.watch { db in
            try AccountStore.reminders(db).first { $0.childID == id && $0.about == about }
        } deliver: { [weak self] in
            self?.reminder = $0
        }
    }

    /// What can be chosen, with what it is set to among them.
    public var choices: [Choice] {
        let off = Choice(after: nil, text: home.texts.off)
        guard case .last(let subject) = about else { return [off, Choice(after: .zero, text: home.texts.whenDue)] }
        let offered = subject == .sleep ? [60, 90, 120, 150, 180, 240] : [120, 150, 180, 240]
        let set = reminder?.after.map { [Int($0.components.seconds / 60)] } ?? []
        return [off]
            + Set(offered + set).sorted().map { Choice(after: .seconds(60 * $0), text: home.texts.hours(minutes: $0)) }
    }

    /// What it is set to.
    public var chosen: Choice? {
        choices.first { $0.after == reminder.map { $0.after ?? .zero } }
    }

    /// Sets it, here at once and at the server when it can.
    public func choose(_ choice: Choice) async {
        message = nil
        do {
            if let after = choice.after {
                try await home.store.remind(of: about, child: child, after: after)
            } else {
                try await home.store.forgetReminder(of: about, child: child)
            }
        } catch {
            message = home.texts.failure(error)
        }
    }
}

extension Today {
    /// A reminder that is due, shown with or without notifications, until it is dismissed or the next one is logged.
    public struct DueReminder: Hashable, Sendable, Identifiable {
        /// The reminder.
        public let reminder: StoredReminder
        /// The kind that a touch logs.
        public let kind: String
        /// `3 h 10 min since the last feed`.
        public let text: String
        /// The reminder's id.
        public var id: ReminderID { reminder.id }
        fileprivate let last: UUID
    }

    /// What is due, the longest first.
    public var dueReminders: [DueReminder] {
        let now = home.now
        let seen = seenReminders
        return reminders.compactMap { reminder -> (Timestamp, DueReminder)? in
            guard case .last(let subject)? = reminder.about, let after = reminder.after,
                let last = lastOf(subject), let at = reminder.dueAt(last), at <= now,
                seen[reminder.id.description] != last.id.text
            else { return nil }
            let text = home.texts.dueReminder(subject, passed: now.since(at) + after)
            return (at, DueReminder(reminder: reminder, kind: subject.rawValue, text: text, last: last.id))
        }.sorted { $0.0 < $1.0 }.map(\.1)
    }

    private func lastOf(_ subject: Reminder.Subject) -> StoredEntry? {
        if subject == .sleep, present?.ongoingSleep != nil { return nil }
        return present?.last[subject.rawValue]
    }

    /// It has been seen: it comes again with the next one.
    public func dismiss(_ due: DueReminder) {
        var seen = seenReminders.filter { id, _ in reminders.contains { $0.id.description == id } }
        seen[due.reminder.id.description] = due.last.text
        home.configuration.preferences.set(try? StoredJSON.text(seen), for: PreferenceKey.seenReminders)
        tick()
    }

    private var seenReminders: [String: String] {
        home.configuration.preferences.string(PreferenceKey.seenReminders)
            .flatMap { try? StoredJSON.value([String: String].self, $0) } ?? [:]
    }
}
