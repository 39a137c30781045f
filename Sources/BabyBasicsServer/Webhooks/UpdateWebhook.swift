import BabyBasicsAPI
import FoundationEssentials
import Postgres

/// Changes where a webhook is called, for what, and whether at all.
func updateWebhook(_ context: RequestContext, membership: FamilyMembership) async throws -> Reply<WebhookAnswer> {
    let (database, family) = (context.database, membership.family.id)
    let webhook = try await context.webhook(of: family)
    let fields = try context.fields()
    let reach = context.services.configuration.webhooks.reach
    let (url, kinds, active) = try fields.all(
        fields.kept("url", .webhookURL(reach)), fields.webhookKinds(), fields.kept("active", .flag))
    let isActive = active ?? webhook.active
    // Whoever calls it at the moment finds the claim gone, and it is called anew by what it is now.
    try await database.execute(
        """
        update webhooks
        set url = coalesce(\(url), url),
            kinds = case when \(fields.contains("kinds")) then \(kinds) else kinds end,
            is_active = \(isActive), failed_at = case when \(isActive) and not is_active then null else failed_at end,
            updated_at = \(context.now), attempts = attempts + 1, due_at = \(fragment: context.sharedClock), is_being_called = false
        where family_id = \(family) and id = \(webhook.id)
        """)
    if !isActive { try database.enqueue(WebhookQueue.surrender(webhook.id, of: family)) }
    try database.noteWebhooks(of: family)
    let changed = try await context.webhook(webhook.id, of: family)
    try await context.audit(changed, insteadOf: webhook, in: family, by: membership.caller.userID)
    database.noteWebhook()
    return Reply(WebhookAnswer(webhook: changed))
}

/// Deletes a webhook, with what waits for it.
func deleteWebhook(_ context: RequestContext, membership: FamilyMembership) async throws -> Reply<Empty> {
    let (database, family) = (context.database, membership.family.id)
    let webhook = try await context.webhook(of: family)
    try database.enqueue("delete from webhooks where family_id = \(family) and id = \(webhook.id)")
    try database.noteWebhooks(of: family)
    try await context.audit(nil, insteadOf: webhook, in: family, by: membership.caller.userID)
    return .nothing
}

extension RequestContext {
    /// A webhook that is there.
    func webhook(_ id: WebhookID, of family: FamilyID) async throws -> Webhook {
        let found = try await database.first(
            """
            select \(unescaped: Webhook.columns) from webhooks w left join users u on u.id = w.created_by
            where w.family_id = \(family) and w.id = \(id)
            """
        ) { try Webhook(&$0) }
        guard let found else { throw APIError.unexplained }
        return found
    }

    /// Notes what became of a webhook, in the transaction at hand. Of its URL the log holds where it leads to alone.
    func audit(
        _ webhook: Webhook?, insteadOf before: Webhook?, in family: FamilyID, by user: UserID
    ) async throws {
        guard let id = (webhook ?? before)?.id else { return }
        var changes = AuditChanges.none
        changes.note(
            "url", from: before.map { WebhookURL.origin(of: $0.url) }, to: webhook.map { WebhookURL.origin(of: $0.url) }
        )
        changes.note("kinds", from: before?.kinds, to: webhook?.kinds)
        changes.note("active", from: before?.active, to: webhook?.active)
        let action: AuditedAction = before == nil ? .create : webhook == nil ? .delete : .update
        // Another path of the same host is a change, too.
        guard !changes.isEmpty || action != .update || webhook?.url != before?.url else { return }
        try await audit(action, .webhook, id.uuid, by: user, family: family, changes: changes)
    }
}
