import BabyBasicsAPI
import FoundationEssentials
import Postgres

/// What webhooks are called with, as it waits in the database.
enum WebhookQueue {
    /// Has the webhooks of the family `$3` called for rows of `events`, at the moment `$2`: part of the statement that changes those, after
    /// `feed`, whose lock gives them their order.
    /// - Parameters:
    ///   - changed: the query that has the rows.
    ///   - type: what has happened to one.
    static func insertion(of changed: String, _ type: String) -> String {
        """
        insert into webhook_deliveries (family_id, webhook_id, child_id, revision, type, event, created_at)
        select $3, w.id, \(changed).child_id, \(changed).revision, \(type), to_jsonb(\(changed)), $2
        from feed, \(changed), webhooks w
        where feed.has_webhooks and w.family_id = $3 and w.is_active
            and (w.kinds is null or \(changed).kind = any (w.kinds))
        """
    }

    /// The webhooks for which something waits, found one by one in the index of what waits: a backlog is not read for it.
    static let waiting: SQL = """
        recursive waiting (webhook_id) as (
            (select webhook_id from webhook_deliveries where is_waiting order by webhook_id limit 1)
            union all
            select (
                select d.webhook_id from webhook_deliveries d
                where d.is_waiting and d.webhook_id > w.webhook_id order by d.webhook_id limit 1
            )
            from waiting w where w.webhook_id is not null
        )
        """

    /// Gives up what waits for a webhook.
    static func surrender(_ webhook: WebhookID, of family: FamilyID) -> SQL {
        """
        update webhook_deliveries set is_waiting = false
        where family_id = \(family) and webhook_id = \(webhook) and is_waiting
        """
    }

    /// Of a row of `webhook_deliveries`: whether nobody can look at it any more.
    static let isForgotten: SQL = """
        not is_waiting and revision < (
            select d.revision from webhook_deliveries d
            where d.family_id = webhook_deliveries.family_id and d.webhook_id = webhook_deliveries.webhook_id
            order by d.revision desc offset \(unescaped: "\(WebhookDelivery.kept - 1)") limit 1
        )
        """
}

extension WebhookDelivery {
    /// Of each webhook.
    static let kept = 50
}

extension Database {
    /// Notes in a family's feed, which is locked, whether any of its webhooks is called.
    func noteWebhooks(of family: FamilyID) throws {
        try enqueue(
            """
            update feeds f set has_webhooks = not has_webhooks
            where family_id = \(family)
                and has_webhooks <> exists (select 1 from webhooks w where w.family_id = \(family) and w.is_active)
            """)
    }
}
