import BabyBasicsAPI
import Postgres

/// Changes the caller's name, time zone, beginning of the day, quiet hours, language, or what sentences show. A new name is a change of the member in each family.
func updateMe(_ context: RequestContext, caller: Caller) async throws -> Reply<UserAnswer> {
    let fields = try context.fields()
    let (name, timeZone, dayStart, quiet, showDetails, language) = try fields.all(
        fields.kept("name", .name),
        await context.timeZone(fields.kept("timezone", .timeZone), fields),
        fields.kept("day_start_time", .timeOfDay), fields.quietHours(), fields.kept("show_details", .flag),
        fields.kept("language", .language))
    let database = context.database
    return try await database.transaction {
        // Families before the user, as everywhere, and in one order, so that no two wait for each other.
        if name != nil { try await database.lockFamilies(of: caller.userID) }
        var user = try await context.user(caller.userID, locked: true)
        var changes = AuditChanges.none
        // Audit rows outlive the account, so that they hold no name of it.
        changes.note("timezone", from: user.timezone, to: timeZone ?? user.timezone)
        changes.note("day_start_time", from: user.dayStartTime, to: dayStart ?? user.dayStartTime)
        let hours = quiet ?? user.quiet
        changes.note("quiet", from: user.quiet, to: hours)
        let clocksChange = !changes.isEmpty
        changes.note("show_details", from: user.showDetails, to: showDetails ?? user.showDetails)
        changes.note("language", from: user.language, to: language?.tag ?? user.language)
        let renamed = name != nil && name != user.name
        guard renamed || !changes.isEmpty else { return Reply(UserAnswer(user: user)) }
        user.name = name ?? user.name
        user.timezone = timeZone ?? user.timezone
        user.dayStartTime = dayStart ?? user.dayStartTime
        user.quiet = hours
        user.showDetails = showDetails ?? user.showDetails
        user.language = language?.tag ?? user.language
        user.updatedAt = context.now
        try await database.execute(
            """
            update users set name = \(user.name), timezone = \(user.timezone),
                day_start_time = \(user.dayStartTime), quiet_from = \(user.quiet?.from), quiet_to = \(user.quiet?.to),
                show_details = \(user.showDetails), language = \(user.language),
                updated_at = \(user.updatedAt)
            where id = \(user.id)
            """)
        // What was to come at some time of these clocks comes at another.
        if clocksChange { try context.lookAgain(for: user.id) }
        if renamed { try await database.renumberMemberships(of: user.id, at: context.now) }
        try await context.audit(.update, .user, user.id.uuid, by: user.id, changes: changes)
        return Reply(UserAnswer(user: user))
    }
}

extension Database {
    /// Numbers the change of what each family shows of the user as its member.
    func renumberMemberships(of user: UserID, at now: Timestamp) async throws {
        let families = try await rows(
            """
            with counted as (
                update feeds f set last_revision = f.last_revision + 1
                from \(fragment: Members.current("m", at: now)) where m.family_id = f.family_id and m.user_id = \(user)
                returning f.family_id, f.last_revision
            )
            update \(unescaped: Members.table) m set revision = c.last_revision
            from counted c where m.family_id = c.family_id and m.user_id = \(user)
            returning m.family_id
            """
        ) { try $0.next(FamilyID.self) }
        for family in families { noteChange(of: family) }
    }
}
