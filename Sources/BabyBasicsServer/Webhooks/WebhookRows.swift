import BabyBasicsAPI
import FoundationEssentials
import Postgres

extension Webhook {
    /// Of a webhook `w` and who made it, `u`.
    static let columns = """
        w.id, w.url, w.kinds, w.is_active, w.failed_at, case when u.deleted_at is null then u.id end, coalesce(u.name, ''),
        w.created_at, w.updated_at
        """

    init(_ row: inout Row) throws {
        self.init(
            id: try row.next(), url: try row.next(), kinds: try row.next([Int16]?.self).map(\.kindNames),
            active: try row.next(), failedAt: try row.next(),
            createdBy: Author(userId: try row.next(), name: try row.next()), createdAt: try row.next(),
            updatedAt: try row.next())
    }
}

extension [Int16] {
    /// Of the kinds that this release knows.
    fileprivate var kindNames: [String] { filter { $0 < EventKind.all.count }.map(\.kindName) }
}

extension WebhookDelivery {
    /// Of a row `d` of `webhook_deliveries`.
    static let columns = """
        d.id, d.type, (d.event->>'kind')::int2, (d.event->>'id')::uuid, d.created_at, d.is_waiting, d.delivered_at is not null,
        d.attempts, d.tried_at, d.status, d.failure
        """

    /// Holds for the events that this release knows.
    static let isKnown = "(d.event->>'kind')::int2 < \(EventKind.all.count)"

    init(_ row: inout Row) throws {
        let (id, type, kind): (DeliveryID, String, Int16) = (try row.next(), try row.next(), try row.next())
        let (event, createdAt): (Identifier<AnyEvent>, Timestamp) = (try row.next(), try row.next())
        let (isWaiting, isDelivered): (Bool, Bool) = (try row.next(), try row.next())
        self.init(
            id: id, type: type, kind: kind.kindName, eventId: event, createdAt: createdAt,
            state: isWaiting ? .waiting : isDelivered ? .delivered : .failed, attempts: Int(try row.next(Int32.self)),
            lastAttemptAt: try row.next(), status: try row.next(Int32?.self).map { Int($0) }, failure: try row.next())
    }
}

extension RequestContext {
    /// The webhook of the family that the path names.
    /// - Throws: `APIError` 404.
    func webhook(of family: FamilyID) async throws -> Webhook {
        let noSuchWebhook = APIError(.notFound, "Webhook not found")
        let id = try identifier(1, of: Webhook.self, otherwise: noSuchWebhook)
        let found = try await database.first(
            """
            select \(unescaped: Webhook.columns) from webhooks w left join users u on u.id = w.created_by
            where w.family_id = \(family) and w.id = \(id)
            """
        ) { try Webhook(&$0) }
        guard let found else { throw noSuchWebhook }
        return found
    }
}

/// The family's webhooks, the oldest first.
func listWebhooks(_ context: RequestContext, membership: FamilyMembership) async throws -> Reply<WebhookList> {
    let webhooks = try await context.database.rows(
        """
        select \(unescaped: Webhook.columns) from webhooks w left join users u on u.id = w.created_by
        where w.family_id = \(membership.family.id) order by w.created_at, w.id
        """
    ) { try Webhook(&$0) }
    return Reply(WebhookList(webhooks: webhooks))
}

func getWebhook(_ context: RequestContext, membership: FamilyMembership) async throws -> Reply<WebhookAnswer> {
    Reply(WebhookAnswer(webhook: try await context.webhook(of: membership.family.id)))
}
