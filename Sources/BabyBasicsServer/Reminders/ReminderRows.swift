import BabyBasicsAPI
import Postgres

/// The caller's reminders, in all families that the caller belongs to, in the order in which they were made.
func listReminders(_ context: RequestContext, caller: Caller) async throws -> Reply<ReminderList> {
    let reminders = try await context.database.rows(
        """
        select \(unescaped: Reminder.columns)
        from reminders r join \(fragment: Members.current("m", at: context.now))
            on m.family_id = r.family_id and m.user_id = r.user_id
        where r.user_id = \(caller.userID) order by r.created_at, r.id
        """, Reminder.init)
    return Reply(ReminderList(reminders: reminders))
}

func deleteReminder(_ context: RequestContext, caller: Caller) async throws -> Reply<Empty> {
    let id: ReminderID = try context.identifier(0)
    let deleted = try await context.database.execute(
        "delete from reminders where id = \(id) and user_id = \(caller.userID)")
    guard deleted == 1 else { throw APIError.notFound }
    // After it: whoever was about to push for it has done so, or finds it gone.
    try await context.database.execute(Pushes.withdraw(tag: Reminder.tag(id), for: caller.userID))
    return .nothing
}

extension Reminder {
    /// Of a reminder `r`.
    static let columns = "r.id, r.child_id, r.kind, r.after_minutes, r.plan_id, r.created_at"

    init(_ row: inout Row) throws {
        self.init(
            id: try row.next(), childId: try row.next(), on: try row.next(Int16?.self).flatMap { Subject(kind: $0) },
            afterMinutes: try row.next(Int16?.self).map { Int($0) }, planId: try row.next(), createdAt: try row.next())
    }
}
