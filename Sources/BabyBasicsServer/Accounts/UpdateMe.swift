import BabyBasicsAPI
import Postgres

/// Changes the caller's name, time zone or beginning of the day. A new name is a change of the member in each family.
func updateMe(_ context: RequestContext, caller: Caller) async throws -> Reply<UserAnswer> {
    let fields = try context.fields()
    let (name, timeZone, dayStart) = try fields.all(
        fields.kept("name", .name),
        await context.timeZone(fields.kept("timezone", .timeZone), fields),
        fields.kept("day_start_time", .timeOfDay))
    let database = context.database
    return try await database.transaction {
        // Families before the user, as everywhere, and in one order, so that no two wait for each other.
        if name != nil { try await lockFamilies(of: caller.userID, database) }
        var user = try await context.user(caller.userID, locked: true)
        var changes = AuditChanges.none
        // Audit rows outlive the account, so that they hold no name of it.
        changes.note("timezone", from: user.timezone, to: timeZone ?? user.timezone)
        changes.note("day_start_time", from: user.dayStartTime, to: dayStart ?? user.dayStartTime)
        let renamed = name != nil && name != user.name
        guard renamed || !changes.isEmpty else { return Reply(UserAnswer(user: user)) }
        user.name = name ?? user.name
        user.timezone = timeZone ?? user.timezone
        user.dayStartTime = dayStart ?? user.dayStartTime
        user.updatedAt = context.now
        try await database.execute(
            """
            update users set name = \(user.name), timezone = \(user.timezone),
                day_start_time = \(user.dayStartTime), updated_at = \(user.updatedAt)
            where id = \(user.id)
            """)
        if renamed { try await renumberMemberships(of: user.id, database) }
        try await context.audit(.update, .user, user.id.uuid, by: user.id, changes: changes)
        return Reply(UserAnswer(user: user))
    }
}

private func lockFamilies(of user: UserID, _ database: Database) async throws {
    try await database.execute(
        """
        select from families where id in (select family_id from family_members where user_id = \(user))
        order by id for no key update
        """)
}

private func renumberMemberships(of user: UserID, _ database: Database) async throws {
    try await database.execute(
        """
        with counted as (
            update families f set last_revision = f.last_revision + 1
            from family_members m where m.family_id = f.id and m.user_id = \(user)
            returning f.id, f.last_revision
        )
        update family_members m set revision = c.last_revision
        from counted c where m.family_id = c.id and m.user_id = \(user)
        """)
}

extension Database {
    /// Keeps a user's name as it is until the transaction ends, for whoever makes a membership that shows it.
    ///
    /// Without it a new name could be given between the moment at which the memberships are counted and this one's commit,
    /// and the family's changes would never tell of it.
    func holdName(of user: UserID) async throws {
        try await execute("select from users where id = \(user) for share")
    }
}
