import BabyBasicsAPI
import FoundationEssentials
import Postgres

/// A claimed row of `notifications`.
struct ClaimedNotification {
    let claim: DueRows.Claim
    /// Nil for one that only a newer release knows.
    let kind: NotificationKind?
    let family: FamilyID
    /// Who did it, or whom it is about.
    let user: UserID?
    let actor: UserID?
    let recipient: UserID?
    let reminder: ReminderID?
    let since: Int64
    /// Up to which number it has been told.
    let told: Int64?
    let isOpen: Bool
    /// The moment of the claim, by the clock that the workers share.
    let now: Timestamp

    static let rows = DueRows(table: "notifications")
    static let columns = """
        kind, family_id, user_id, actor_id, recipient_id, reminder_id, coalesce(since_revision, 0), told_revision, is_open,
        due_at
        """

    init(_ row: inout Row) throws {
        claim = try DueRows.Claim(&row)
        kind = NotificationKind(rawValue: try row.next())
        family = try row.next()
        user = try row.next()
        actor = try row.next()
        recipient = try row.next()
        reminder = try row.next()
        since = try row.next()
        told = try row.next()
        isOpen = try row.next()
        now = try row.next(Timestamp.self).adding(.seconds(-DueRows.leaseSeconds))
    }

    /// Locks the row for the transaction at hand; selects none where somebody else has it since.
    var lock: SQL {
        "select from notifications where id = \(claim.id) and attempts = \(claim.attempts) for update"
    }

    var removal: SQL { Self.rows.removal(of: claim) }

    /// Has it looked at again at a moment.
    func postponement(until moment: Timestamp) -> SQL {
        "update notifications set due_at = \(moment), attempts = 0 where id = \(claim.id) and attempts = \(claim.attempts)"
    }
}
