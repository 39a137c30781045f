public import BabyBasicsAPI
import Foundation
import GRDB

/// What this person wants to be reminded of: some time after the last of a kind, or when a dose is due. One of each.
public struct StoredReminder: Hashable, Sendable, Identifiable {
    /// Made on the device that set it.
    public let id: ReminderID
    /// The child.
    public let childID: ChildID
    /// What it is about; nil for what this version does not know.
    public let about: About?
    /// So long after; nil for a plan's.
    public let after: Duration?
    /// Whether the server is still to be told.
    public let isWaiting: Bool

    /// What a reminder is about.
    public enum About: Hashable, Sendable {
        /// The last of a kind: its start, of sleep the last waking.
        case last(Reminder.Subject)
        /// A dose of a plan that is due.
        case plan(PlanID)
    }

    init(_ row: ReminderRow) {
        id = row.id
        childID = row.childID
        about = row.planID.map { .plan($0) } ?? row.subject.flatMap { Reminder.Subject(rawValue: $0) }.map { .last($0) }
        after = row.afterMinutes.map { .seconds(60 * $0) }
        isWaiting = row.isWaiting
    }

    /// When it is due, or was; nil where there is nothing to count from, and while the child sleeps.
    /// - Parameter last: the last of its kind.
    func dueAt(_ last: StoredEntry?) -> Timestamp? {
        guard case .last(let subject)? = about, let after, let last else { return nil }
        return (subject == .sleep ? last.endedAt : last.at)?.adding(after)
    }
}

extension AccountStore {
    /// This person's reminders.
    public func reminders() async throws -> [StoredReminder] {
        try await database.read { try Self.reminders($0) }
    }

    static func reminders(_ db: Database) throws -> [StoredReminder] {
        try ReminderRow.inOrder().filter(ReminderRow.Columns.isDeleted == false).fetchAll(db).map { StoredReminder($0) }
    }

    /// Sets the reminder about something, in the place of the one that was there.
    /// - Parameter after: so long after the last one; nothing for a plan's.
    public func remind(of about: StoredReminder.About, child: ChildID, after: Duration? = nil) async throws {
        let id = ReminderID(environment.makeUUID())
        try await write { db, _ in
            let old = try Self.reminder(about, child, db)
            var row = ReminderRow(id: old?.id ?? id, childID: child, isWaiting: true)
            switch about {
            case .last(let subject):
                row.subject = subject.rawValue
                row.afterMinutes = after.map { Int($0.components.seconds / 60) }
            case .plan(let plan): row.planID = plan
            }
            try row.upsert(db)
        }
    }

    /// Takes the reminder about something away.
    public func forgetReminder(of about: StoredReminder.About, child: ChildID) async throws {
        try await write { db, _ in
            guard var row = try Self.reminder(about, child, db) else { return }
            row.isWaiting = true
            row.isDeleted = true
            try row.update(db)
        }
    }

    /// Also one that is to go: set again, it is the same one.
    private static func reminder(
        _ about: StoredReminder.About, _ child: ChildID, _ db: Database
    ) throws -> ReminderRow? {
        try ReminderRow.inOrder().fetchAll(db).first { $0.childID == child && StoredReminder($0).about == about }
    }

    // MARK: With the server

    func waitingReminder() async throws -> ReminderRow? {
        try await database.read { db in
            try ReminderRow.inOrder().filter(ReminderRow.Columns.isWaiting == true).fetchOne(db)
        }
    }

    /// The server was told of one; it may have changed again meanwhile.
    /// - Parameter kept: as the server has it; nil where it has none.
    func sent(_ row: ReminderRow, kept: ServerReminder?) async throws {
        try await write { db, _ in
            guard var now = try ReminderRow.row(row.id).fetchOne(db) else { return }
            try now.delete(db)
            if now == row {
                try kept.map { ReminderRow($0) }?.upsert(db)
            } else {
                // The server may know another one of the same: that is the one that changed.
                now.id = kept?.id ?? row.id
                try now.upsert(db)
            }
        }
    }

    /// Takes over what the server has, below what waits.
    func apply(_ reminders: [ServerReminder]) async throws {
        try await write { db, _ in
            let kept = try ReminderRow.inOrder().fetchAll(db)
            let waiting = Set(kept.filter(\.isWaiting).map(\.id))
            let new = reminders.map { ReminderRow($0) }.filter { !waiting.contains($0.id) }
            let known = kept.filter { !$0.isWaiting }
            guard new.count != known.count || !new.allSatisfy({ known.contains($0) }) else { return }
            try ReminderRow.filter(ReminderRow.Columns.isWaiting == false).deleteAll(db)
            for row in new { try row.insert(db) }
        }
    }

    func tellRefused(_ message: String) async throws {
        try await write { db, now in try db.tell(.reminderNotKept(reason: message), now: now) }
    }
}

extension SyncEngine {
    /// Tells the server of the reminders that changed here.
    func sendReminders() async throws {
        while let row = try await store.waitingReminder() {
            try Task.checkCancellation()
            do {
                try await store.sent(row, kept: try await tellOf(row))
            } catch let failure as APIFailure where [400, 403, 404, 409].contains(failure.status) {
                // One that is gone is gone; one that the server does not keep is said.
                if !row.isDeleted { try await store.tellRefused(failure.message) }
                try await store.sent(row, kept: nil)
            }
            noteProgress()
        }
    }

    private func tellOf(_ row: ReminderRow) async throws -> ServerReminder? {
        guard !row.isDeleted else {
            try await client.tell(Endpoints.deleteReminder.description, row.id)
            return nil
        }
        struct Answer: Decodable, Sendable { var reminder: ServerReminder }
        let answer = try await client.ask(
            Endpoints.createReminder.description, body: ServerReminder(row), as: Answer.self)
        return answer.reminder
    }

    /// Reads what the server has: another device may have set or ended one.
    func fetchReminders() async throws {
        struct Answer: Decodable, Sendable { var reminders: [ServerReminder] }
        do {
            try await store.apply(client.ask(Endpoints.listReminders.description, as: Answer.self).reminders)
        } catch let failure as APIFailure where failure.status == 404 {
            // A server from before reminders.
        }
    }
}
