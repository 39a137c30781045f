import BabyBasicsAPI
import FoundationEssentials
import Postgres

extension Database {
    /// Tells who joined or left, or that somebody's access has ended, if it still is so.
    func tellMembers(_ row: ClaimedNotification, at clock: SQL) async throws -> Notifier.Outcome {
        try await transaction {
            guard try await execute(row.lock) == 1, let kind = row.kind, let user = row.user else { return .lost }
            guard let fact = try await memberFact(of: user, row), fact.isMember == (kind == .joined) else {
                try await execute(row.removal)
                return .dropped
            }
            var outcome = Notifier.Outcome.dropped
            var isForLater = false
            for listener in try await listeners(to: kind, row) {
                if let until = listener.quietUntil {
                    isForLater = isForLater || row.recipient != nil
                    try await execute(row.memberDeferral(to: listener.user, kind, until: until))
                    if outcome == .dropped { outcome = .waits }
                    continue
                }
                let message = PushMessage(
                    tag: "\(kind.rawValue)-\(row.claim.id.uuidString.lowercased())", title: fact.familyName,
                    body: Sentences(listener.language).member(kind, name: fact.name), kind: .told, familyID: row.family,
                    urgency: .normal, expiresAt: row.now.adding(.seconds(86_400)))
                try await execute(Pushes.insert(message, for: listener.user, at: clock))
                outcome = .told
            }
            if !isForLater { try await execute(row.removal) }
            return outcome
        }
    }

    private func memberFact(
        of user: UserID, _ row: ClaimedNotification
    ) async throws -> (name: String, familyName: String, isMember: Bool)? {
        try await first(
            """
            select u.name, f.name, exists (
                select from \(fragment: Members.current("m", at: row.now)) where m.family_id = f.id and m.user_id = u.id
            )
            from users u join families f on f.id = \(row.family) where u.id = \(user)
            """
        ) { (try $0.next(), try $0.next(), try $0.next()) }
    }

    /// Parents, unless they said otherwise, and whoever else asked for it; but never who did it.
    private func listeners(to kind: NotificationKind, _ row: ClaimedNotification) async throws -> [Listener] {
        let wish = kind == .accessEnded ? "s.access_ends" : "s.members"
        return try await rows(
            """
            select \(fragment: Listener.columns(at: row.now))
            from \(fragment: Members.current("m", at: row.now)) join users u on u.id = m.user_id
                left join notification_settings s on s.family_id = m.family_id and s.user_id = m.user_id
            where m.family_id = \(row.family) and coalesce(\(unescaped: wish), m.role = 'parent')
                and m.user_id is distinct from \(row.user) and m.user_id is distinct from \(row.actor)
                and (\(row.recipient)::uuid is null or m.user_id = \(row.recipient))
            order by u.id
            """
        ) { try Listener(&$0) }
    }
}

extension ClaimedNotification {
    fileprivate func memberDeferral(to listener: UserID, _ kind: NotificationKind, until end: Timestamp) -> SQL {
        if recipient != nil { return postponement(until: end) }
        return """
            insert into notifications (family_id, kind, user_id, actor_id, recipient_id, created_at, due_at)
            values (\(family), \(kind.rawValue), \(user), \(actor), \(listener), \(claim.createdAt), \(end))
            """
    }
}
