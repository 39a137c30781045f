import BabyBasicsAPI
import FoundationEssentials
import Postgres

/// The last calls of a webhook, the newest first.
func listDeliveries(_ context: RequestContext, membership: FamilyMembership) async throws -> Reply<DeliveryList> {
    let family = membership.family.id
    let webhook = try await context.webhook(of: family)
    let deliveries = try await context.database.rows(
        """
        select \(unescaped: WebhookDelivery.columns) from webhook_deliveries d
        where d.family_id = \(family) and d.webhook_id = \(webhook.id) and \(unescaped: WebhookDelivery.isKnown)
        order by d.revision desc limit \(Int64(WebhookDelivery.kept))
        """
    ) { try WebhookDelivery(&$0) }
    return Reply(DeliveryList(deliveries: deliveries))
}

/// Has a webhook called once more with what it was called with, before whatever else waits; or now with what waits already.
func retryDelivery(_ context: RequestContext, membership: FamilyMembership) async throws -> Reply<DeliveryAnswer> {
    let (database, family) = (context.database, membership.family.id)
    let noSuchDelivery = APIError(.notFound, "Delivery not found")
    let webhook = try await context.webhook(of: family)
    let id = try context.identifier(2, of: WebhookDelivery.self, otherwise: noSuchDelivery)
    let delivery = try await database.change(
        """
        update webhook_deliveries d
        set is_waiting = true, attempts = case when is_waiting then attempts else 0 end, delivered_at = null
        where d.family_id = \(family) and d.webhook_id = \(webhook.id) and d.id = \(id)
            and \(unescaped: WebhookDelivery.isKnown)
        returning \(unescaped: WebhookDelivery.columns)
        """
    ) { try WebhookDelivery(&$0) }.first
    guard let delivery else { throw noSuchDelivery }
    guard webhook.active else { throw APIError(.conflict, "The webhook is off. Turn it on first.") }
    // Whoever calls it at the moment goes on with this one.
    try database.enqueue(
        """
        update webhooks set due_at = least(due_at, \(fragment: context.sharedClock))
        where family_id = \(family) and id = \(webhook.id) and not is_being_called
        """)
    database.noteWebhook()
    return Reply(DeliveryAnswer(delivery: delivery))
}
