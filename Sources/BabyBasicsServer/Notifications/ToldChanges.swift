import BabyBasicsAPI
import FoundationEssentials
import Postgres

// What somebody logged is told the others at once; what the same person logs within 60 s of it is gathered, and told together in its place.

/// How long what one person does is gathered.
private let gathering = Duration.seconds(60)
/// What is older was sent late, or imported: no news.
private let isNews = Duration.seconds(86_400)

extension Database {
    func tellChanges(_ row: ClaimedNotification, at clock: SQL) async throws -> Notifier.Outcome {
        do {
            if row.isOpen { return try await close(row, clock) }
            let changed = try await kindsChanged(row)
            try await execute(ReminderLook.now(at: row.remindersToLookAt(changed), clock: clock))
            return try await open(row, clock)
        } catch let error as PostgresError where error.sqlState == .uniqueViolation {
            try await join(row)
            return .waits
        }
    }

    /// Something of this person's is open: it gathers this too, although it may have begun after it. Where it was closed meanwhile the row is
    /// opened itself.
    private func join(_ row: ClaimedNotification) async throws {
        try await transaction {
            let joined = try await execute(
                """
                update notifications set
                    told_revision = case when \(row.since) < since_revision then \(row.since) else told_revision end,
                    since_revision = least(since_revision, \(row.since)),
                    created_at = least(created_at, \(row.claim.createdAt))
                where family_id = \(row.family) and user_id = \(row.user) and is_open
                """)
            try await execute(joined == 1 ? row.removal : row.postponement(until: row.now))
        }
    }

    /// Tells of the first change, and keeps the row to gather what follows.
    private func open(_ row: ClaimedNotification, _ clock: SQL) async throws -> Notifier.Outcome {
        try await transaction {
            guard try await execute(row.lock) == 1, let user = row.user else { return .lost }
            let entries = try await entries(of: user, row)
            let audience = try await audience(of: entries, except: user, row)
            guard !audience.isEmpty else {
                if try await !isListenedTo(row.family) { try await unwatch(row.family) }
                try await execute(row.removal)
                return .dropped
            }
            // Waits for whoever closes one now, and fails where one stays open.
            try await execute(
                """
                update notifications set is_open = true, told_revision = \(entries.map(\.revision).max()),
                    due_at = \(row.now.adding(gathering)), attempts = 0
                where id = \(row.claim.id)
                """)
            return try await tell(audience, of: entries, by: user, row, clock)
        }
    }

    /// Tells all that was gathered, where there is more than was told.
    private func close(_ row: ClaimedNotification, _ clock: SQL) async throws -> Notifier.Outcome {
        try await transaction {
            // Before the look: what comes after it is not gathered here.
            guard try await execute(row.removal) == 1, let user = row.user else { return .lost }
            let entries = try await entries(of: user, row)
            let audience = try await audience(of: entries, except: user, row).filter { listener in
                entries.contains { $0.revision > row.told ?? 0 && listener.kinds.contains($0.kind) }
            }
            return try await tell(audience, of: entries, by: user, row, clock)
        }
    }

    /// Tells of what came in quiet hours, once they are over.
    func tellDeferred(_ row: ClaimedNotification, at clock: SQL) async throws -> Notifier.Outcome {
        try await transaction {
            guard try await execute(row.lock) == 1, let user = row.user else { return .lost }
            let entries = try await entries(of: user, row)
            let audience = try await audience(of: entries, except: user, row).filter {
                $0.listener.user == row.recipient
            }
            if let until = audience.first?.listener.quietUntil {
                try await execute(row.postponement(until: until))
                return .waits
            }
            try await execute(row.removal)
            return try await tell(audience, of: entries, by: user, row, clock)
        }
    }

    private func tell(
        _ audience: [Audience], of entries: [ToldEntry], by user: UserID, _ row: ClaimedNotification, _ clock: SQL
    ) async throws -> Notifier.Outcome {
        guard let name = try await name(of: user) else { return .dropped }
        var outcome = Notifier.Outcome.dropped
        for member in audience {
            let entries = entries.filter { member.kinds.contains($0.kind) }
            guard let first = entries.first else { continue }
            if let until = member.listener.quietUntil {
                try await execute(row.deferral(of: member.listener.user, until: until))
                if outcome == .dropped { outcome = .waits }
                continue
            }
            let child = Set(entries.map(\.child)).count == 1 ? first.child : nil
            let message = PushMessage(
                tag: "told-\(row.claim.id.uuidString.lowercased())",
                title: child == nil ? first.familyName : first.childName,
                body: Sentences(member.listener.language)
                    .logged(entries, by: name, details: member.listener.showsDetails),
                kind: .told, familyID: row.family, childID: child, urgency: .low,
                expiresAt: row.now.adding(.seconds(12 * 3600)))
            try await execute(Pushes.insert(message, for: member.listener.user, at: clock))
            outcome = .told
        }
        return outcome
    }
}

/// A member who wants to hear of what was logged.
private struct Audience {
    let listener: Listener
    /// The numbers of the kinds that it wants to hear of.
    let kinds: Set<Int16>
}

extension Database {
    /// The numbers of the kinds of what the row is about.
    private func kindsChanged(_ row: ClaimedNotification) async throws -> [Int16] {
        try await rows(
            "select distinct kind from events where family_id = \(row.family) and revision > \(row.since)"
        ) { try $0.next(Int16.self) }
    }

    /// What somebody logged since the row was written, and that is there still, in the order of it. What came with a younger row that waits
    /// is that one's to tell.
    private func entries(of user: UserID, _ row: ClaimedNotification) async throws -> [ToldEntry] {
        try await rows(
            """
            select e.kind, e.child_id, c.name, f.name, e.revision, e.type, e.name, e.dose, e.celsius
            from events e join children c on c.family_id = e.family_id and c.id = e.child_id
                join families f on f.id = e.family_id
            where e.family_id = \(row.family) and e.revision > \(row.since) and e.created_by = \(user)
                and (e.updated_by is null or e.created_at >= \(row.claim.createdAt)) and e.at > \(row.now.adding(.zero - isNews))
                and e.deleted_at is null and \(unescaped: EventRow.isKnown) and e.revision <= coalesce((
                    select min(n.since_revision) from notifications n
                    where n.family_id = \(row.family) and n.user_id = \(user) and n.kind = 'changed' and not n.is_open
                        and n.since_revision > \(row.since) and n.id <> \(row.claim.id)
                ), e.revision)
            order by e.revision
            """
        ) { try ToldEntry(&$0) }
    }

    private func audience(
        of entries: [ToldEntry], except user: UserID, _ row: ClaimedNotification
    ) async throws -> [Audience] {
        guard !entries.isEmpty else { return [] }
        return try await rows(
            """
            select \(fragment: Listener.columns(at: row.now)), s.kinds
            from notification_settings s
                join \(fragment: Members.current("m", at: row.now)) on m.family_id = s.family_id and m.user_id = s.user_id
                join users u on u.id = s.user_id
            where s.family_id = \(row.family) and s.user_id <> \(user) and s.kinds && \(Array(Set(entries.map(\.kind))))
            order by u.id
            """
        ) { Audience(listener: try Listener(&$0), kinds: Set(try $0.next([Int16].self))) }
    }

    fileprivate func name(of user: UserID) async throws -> String? {
        try await first("select name from users where id = \(user)") { try $0.next(String.self) }
    }

    /// Whether anybody has a reminder, or is told of what is logged.
    private func isListenedTo(_ family: FamilyID) async throws -> Bool {
        try await first(
            """
            select exists (select from reminders where family_id = \(family))
                or exists (select from notification_settings where family_id = \(family) and kinds <> '{}')
            """
        ) { try $0.next(Bool.self) } ?? false
    }

    /// Ends that each change of a family is looked at, unless somebody wants it meanwhile: who does holds the family's lock.
    private func unwatch(_ family: FamilyID) async throws {
        try await execute("select from feeds where family_id = \(family) for no key update")
        guard try await !isListenedTo(family) else { return }
        try await execute("update feeds set is_watched = false where family_id = \(family)")
    }
}

extension ClaimedNotification {
    /// The family's reminders that count from what has changed. A dose may have been moved from one plan to another.
    fileprivate func remindersToLookAt(_ kinds: [Int16]) -> SQL {
        """
        family_id = \(family) and (
            kind = any (\(kinds)) or plan_id is not null and \(Int16(MedicationDetails.kind.number)) = any (\(kinds)))
        """
    }

    /// Keeps what is gathered here for somebody's morning, with what is kept already.
    fileprivate func deferral(of recipient: UserID, until end: Timestamp) -> SQL {
        """
        insert into notifications (family_id, kind, user_id, recipient_id, since_revision, created_at, due_at)
        values (\(family), 'deferred', \(user), \(recipient), \(since), \(claim.createdAt), \(end))
        on conflict (family_id, recipient_id, user_id) where kind = 'deferred' do update set
            since_revision = least(notifications.since_revision, excluded.since_revision),
            created_at = least(notifications.created_at, excluded.created_at)
        """
    }
}
