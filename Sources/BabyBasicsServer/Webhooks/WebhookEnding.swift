import BabyBasicsAPI
import FoundationEssentials
import Postgres

/// Turns webhooks off that have taken no call for a day, and has the parents told: on their phones, and by mail.
struct WebhookEnding: Sendable {
    let pool: Pool
    let clock: any Clock
    let sendsMail: Bool
    /// Told that there is something to push, and mail to send.
    let isTold: @Sendable () -> Void

    /// - Returns: false where somebody else has the webhook.
    func turnOff(
        _ webhook: ClaimedWebhook, after call: WebhookCall, _ failure: WebhookFailure, at clock: SQL
    ) async throws -> Bool {
        let database = Database(pool)
        let isOff = try await database.transaction {
            // Before the webhook, as whoever changes one does.
            try await database.lockFamily(webhook.family)
            guard try await database.execute(webhook.end(at: clock)) == 1 else { return false }
            try database.enqueue(webhook.lastFailure(call, failure, at: clock))
            try database.enqueue(WebhookQueue.surrender(webhook.id, of: webhook.family))
            try database.noteWebhooks(of: webhook.family)
            try database.enqueue(
                """
                insert into audit_logs (family_id, entity_type, entity_id, action, changes, created_at)
                values (\(webhook.family), 'webhook', \(webhook.id), 'update', '{"active": {"old": true, "new": false}}',
                    \(fragment: clock))
                """)
            try await tellParents(of: webhook, database, at: clock)
            return true
        }
        if isOff { isTold() }
        return isOff
    }

    private func tellParents(of webhook: ClaimedWebhook, _ database: Database, at clock: SQL) async throws {
        let now = self.clock.now()
        let parents: SQL = """
            \(fragment: Members.current("m", at: now)) join users u on u.id = m.user_id
            where m.family_id = \(webhook.family) and m.role = 'parent'
            """
        let listeners = try await database.rows(
            "select \(fragment: Listener.columns(at: now)) from \(fragment: parents) order by u.id"
        ) { try Listener(&$0) }
        for listener in listeners {
            let message = PushMessage(
                tag: "webhook-\(webhook.id)", title: webhook.familyName,
                body: Sentences(listener.language).webhookOff, kind: .told, familyID: webhook.family, urgency: .low,
                expiresAt: now.adding(.seconds(2 * 86_400)))
            // After the quiet hours, where it is in some.
            let moment = listener.quietUntil.map { "\($0)" as SQL } ?? clock
            try database.enqueue(Pushes.insert(message, for: listener.user, at: moment))
        }
        guard sendsMail else { return }
        try database.enqueue(
            """
            insert into mails (id, kind, user_id, recipient, created_at, due_at)
            select gen_random_uuid(), \(MailKind.webhookOff.rawValue), u.id, u.email, \(fragment: clock), \(fragment: clock)
            from \(fragment: parents) and u.email is not null and u.disabled_at is null
            """)
    }
}

extension ClaimedWebhook {
    fileprivate func end(at clock: SQL) -> SQL {
        """
        update webhooks
        set is_active = false, failed_at = \(fragment: clock), updated_at = \(fragment: clock), is_being_called = false,
            attempts = attempts + 1
        where \(fragment: isMine)
        """
    }

    fileprivate func lastFailure(_ call: WebhookCall, _ failure: WebhookFailure, at clock: SQL) -> SQL {
        """
        update webhook_deliveries
        set attempts = attempts + 1, tried_at = \(fragment: clock), status = \(failure.status.map { Int32($0) }),
            failure = \(failure.reason)
        where family_id = \(family) and id = \(call.id)
        """
    }
}
