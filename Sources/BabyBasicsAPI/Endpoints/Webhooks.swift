// What other programs are called with when something is logged.

extension Endpoints {
    public static let createWebhook = Endpoint<NewWebhook, IssuedWebhookAnswer>(
        .post, "\(base)/families/:familyId/webhooks", access: forParents, success: 201)
    public static let listWebhooks = Endpoint<Empty, WebhookList>(
        .get, "\(base)/families/:familyId/webhooks", access: forParents)
    public static let getWebhook = Endpoint<Empty, WebhookAnswer>(
        .get, "\(base)/families/:familyId/webhooks/:webhookId", access: forParents)
    public static let updateWebhook = Endpoint<WebhookChanges, WebhookAnswer>(
        .patch, "\(base)/families/:familyId/webhooks/:webhookId", access: forParents)
    public static let deleteWebhook = Endpoint<Empty, Empty>(
        .delete, "\(base)/families/:familyId/webhooks/:webhookId", access: forParents, success: 204)
    public static let listDeliveries = Endpoint<Empty, DeliveryList>(
        .get, "\(base)/families/:familyId/webhooks/:webhookId/deliveries", access: forParents)
    public static let retryDelivery = Endpoint<Empty, DeliveryAnswer>(
        .post, "\(base)/families/:familyId/webhooks/:webhookId/deliveries/:deliveryId/retry", access: forParents,
        success: 202)

    private static let forParents = Access.family(.parent(otherwise: "Only parents can manage webhooks"))

    static let webhooks = [
        createWebhook.description, listWebhooks.description, getWebhook.description, updateWebhook.description,
        deleteWebhook.description, listDeliveries.description, retryDelivery.description,
    ]
}

public typealias WebhookID = Identifier<Webhook>
public typealias DeliveryID = Identifier<WebhookDelivery>

public struct NewWebhook: Codable, Hashable, Sendable {
    /// `https://`.
    public var url: String
    /// The names of the kinds that it is called for; nil for all.
    public var kinds: [String]?

    public init(url: String, kinds: [String]? = nil) {
        self.url = url
        self.kinds = kinds
    }
}

/// Nil leaves what it is.
public struct WebhookChanges: Codable, Hashable, Sendable {
    public var url: String?
    public var kinds: [String]?
    public var active: Bool?

    public init(url: String? = nil, kinds: [String]? = nil, active: Bool? = nil) {
        self.url = url
        self.kinds = kinds
        self.active = active
    }
}

/// Where another program wants to be called when something is logged, changed or deleted.
public struct Webhook: Codable, Hashable, Sendable {
    public var id: WebhookID
    public var url: String
    /// Nil for all.
    public var kinds: [String]?
    public var active: Bool
    /// When it was turned off because nobody had taken a call for a day; nil for one that is on, or was turned off by a parent.
    public var failedAt: Timestamp?
    public var createdBy: Author
    public var createdAt: Timestamp
    public var updatedAt: Timestamp

    public init(
        id: WebhookID, url: String, kinds: [String]?, active: Bool, failedAt: Timestamp?, createdBy: Author,
        createdAt: Timestamp, updatedAt: Timestamp
    ) {
        self.id = id
        self.url = url
        self.kinds = kinds
        self.active = active
        self.failedAt = failedAt
        self.createdBy = createdBy
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

/// A new webhook, with what its calls are signed by: nobody can look that up again.
public struct IssuedWebhook: Codable, Hashable, Sendable {
    public var id: WebhookID
    public var url: String
    public var kinds: [String]?
    public var active: Bool
    public var failedAt: Timestamp?
    public var createdBy: Author
    public var createdAt: Timestamp
    public var updatedAt: Timestamp
    /// `whsec_` and base64.
    public var secret: String

    public init(_ webhook: Webhook, secret: String) {
        id = webhook.id
        url = webhook.url
        kinds = webhook.kinds
        active = webhook.active
        failedAt = webhook.failedAt
        createdBy = webhook.createdBy
        createdAt = webhook.createdAt
        updatedAt = webhook.updatedAt
        self.secret = secret
    }
}

public struct IssuedWebhookAnswer: Codable, Hashable, Sendable {
    public var webhook: IssuedWebhook

    public init(webhook: IssuedWebhook) {
        self.webhook = webhook
    }
}

public struct WebhookAnswer: Codable, Hashable, Sendable {
    public var webhook: Webhook

    public init(webhook: Webhook) {
        self.webhook = webhook
    }
}

public struct WebhookList: Codable, Hashable, Sendable {
    public var webhooks: [Webhook]
    public var count: Int

    public init(webhooks: [Webhook]) {
        self.webhooks = webhooks
        count = webhooks.count
    }
}

/// One call of a webhook, tried as often as it takes.
public struct WebhookDelivery: Codable, Hashable, Sendable {
    /// Of the call: its `webhook-id`.
    public var id: DeliveryID
    /// `event.created`, `event.updated` or `event.deleted`.
    public var type: String
    /// The name of the event's kind.
    public var kind: String
    public var eventId: Identifier<AnyEvent>
    public var createdAt: Timestamp
    public var state: State
    public var attempts: Int
    /// Nil where it was not tried yet.
    public var lastAttemptAt: Timestamp?
    /// Of the last answer; nil where nobody answered.
    public var status: Int?
    /// Why nobody answered.
    public var failure: String?

    public enum State: String, Codable, Hashable, Sendable, CaseIterable {
        /// It is to be tried, again or at all.
        case waiting
        case delivered
        /// It was given up.
        case failed
    }

    public init(
        id: DeliveryID, type: String, kind: String, eventId: Identifier<AnyEvent>, createdAt: Timestamp, state: State,
        attempts: Int, lastAttemptAt: Timestamp?, status: Int?, failure: String?
    ) {
        self.id = id
        self.type = type
        self.kind = kind
        self.eventId = eventId
        self.createdAt = createdAt
        self.state = state
        self.attempts = attempts
        self.lastAttemptAt = lastAttemptAt
        self.status = status
        self.failure = failure
    }
}

public struct DeliveryAnswer: Codable, Hashable, Sendable {
    public var delivery: WebhookDelivery

    public init(delivery: WebhookDelivery) {
        self.delivery = delivery
    }
}

public struct DeliveryList: Codable, Hashable, Sendable {
    public var deliveries: [WebhookDelivery]
    public var count: Int

    public init(deliveries: [WebhookDelivery]) {
        self.deliveries = deliveries
        count = deliveries.count
    }
}
