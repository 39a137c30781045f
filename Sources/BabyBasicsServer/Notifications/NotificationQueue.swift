import BabyBasicsAPI
import FoundationEssentials
import Postgres

/// What waits to be told, or looked at.
enum NotificationKind: String {
    /// Somebody changed events. The statement that changes them writes it: see `EventChange`.
    case changed
    /// A reminder's moment may have come.
    case reminder
    /// What somebody logged in another one's quiet hours.
    case deferred
    case joined
    case left
    /// Somebody else took the member out.
    case removed
    case accessEnded = "access_ended"
}

extension RequestContext {
    /// Has a change of members told once the transaction at hand is committed.
    func tell(_ kind: NotificationKind, of user: UserID, in family: FamilyID) throws {
        try database.enqueue(
            """
            insert into notifications (family_id, kind, user_id, actor_id, created_at, due_at)
            values (\(family), \(kind.rawValue), \(user), \(authenticated.userID), \(now), \(fragment: sharedClock))
            """)
        database.noteNotification()
    }

    /// Has it told when somebody's access ends; nil for never.
    func tellEnd(of user: UserID, in family: FamilyID, at end: Timestamp?) throws {
        guard let end else {
            return try database.enqueue(
                """
                delete from notifications
                where family_id = \(family) and user_id = \(user) and kind = 'access_ended' and recipient_id is null
                """)
        }
        try database.enqueue(
            """
            insert into notifications (family_id, kind, user_id, created_at, due_at)
            values (\(family), 'access_ended', \(user), \(now), \(end))
            on conflict (family_id, user_id) where kind = 'access_ended' and recipient_id is null
            do update set due_at = excluded.due_at, attempts = notifications.attempts + 1
            """)
    }

    /// Has reminders looked at now, in the transaction at hand.
    /// - Parameter condition: of reminders.
    func lookAgain(at condition: SQL) throws {
        try database.enqueue(ReminderLook.now(at: condition, clock: sharedClock))
        database.noteNotification()
    }
}

extension RequestContext {
    /// Has all that waits for somebody looked at now.
    func lookAgain(for user: UserID) throws {
        try lookAgain(at: "user_id = \(user)")
        try database.enqueue(
            """
            update notifications set due_at = \(fragment: sharedClock), attempts = attempts + 1
            where recipient_id = \(user) and reminder_id is null
            """)
    }
}

enum ReminderLook {
    /// Each reminder has one row, whose moment this brings forward: what comes of it is found out then. A worker that has the row already
    /// finds its claim gone.
    static func now(at condition: SQL, clock: SQL) -> SQL {
        """
        insert into notifications (family_id, kind, reminder_id, recipient_id, created_at, due_at)
        select family_id, 'reminder', id, user_id, \(fragment: clock), \(fragment: clock)
        from reminders where \(fragment: condition) order by id
        on conflict (reminder_id) do update set due_at = excluded.due_at, attempts = notifications.attempts + 1
        """
    }
}
