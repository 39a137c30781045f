import BabyBasicsAPI

extension About {
    static let webhooks = [
        About(
            Endpoints.createWebhook, "createWebhook", "Has another program called when something is logged",
            "Calls follow Standard Webhooks: a POST with `webhook-id`, `webhook-timestamp` and `webhook-signature: v1,…` (HMAC-SHA256 by `secret`), and the body `{\"type\":\"event.created\",\"timestamp\",\"data\":{\"kind\",\"event\",\"child\":{\"id\",\"name\"},\"family\":{\"id\",\"name\"}}}`; the type may be `event.updated` or `event.deleted`, too. They come in order, each at least once, the same `webhook-id` again after anything but a 2xx within 10 s: after 5 s, 30 s, 2 min, 10 min, then every hour for 24 h. Then the webhook is turned off, and the parents are told. Its `secret` is shown this once. At most 5 a family.",
            refuses: [
                .conflict: "The family has 5 webhooks already.",
                .validationError: "`url` is no https URL of the internet.",
            ]),
        About(
            Endpoints.listWebhooks, "listWebhooks", "The family’s webhooks, the oldest first", "Without their secrets."),
        About(
            Endpoints.getWebhook, "getWebhook", "One webhook", refuses: [.notFound: noSuchWebhook]),
        About(
            Endpoints.updateWebhook, "updateWebhook", "Changes what the body names of a webhook",
            "Turned off, it gives up what waits; turned on again, it is called for what is logged from then on. `kinds` null is all.",
            refuses: [.notFound: noSuchWebhook]),
        About(
            Endpoints.deleteWebhook, "deleteWebhook", "Deletes a webhook, with what waits for it",
            refuses: [.notFound: noSuchWebhook]),
        About(
            Endpoints.listDeliveries, "listDeliveries", "The last 50 calls of a webhook, the newest first",
            refuses: [.notFound: noSuchWebhook]),
        About(
            Endpoints.retryDelivery, "retryDelivery", "Calls a webhook once more with what it was called with",
            "Under the same `webhook-id`, before whatever else waits. One that waits is tried now.",
            refuses: [
                .notFound: "The family has no such webhook, or the webhook no such call.",
                .conflict: "The webhook is off.",
            ]),
    ]

    private static let noSuchWebhook = "The family has no such webhook."
}

extension WebhookDelivery.State: SchemaDescribed {}

extension NewWebhook: Described {
    static let remarks: [String: Remark] = ["url": .webhookURL, "kinds": .webhookKinds]
}

extension WebhookChanges: Described {
    static let remarks: [String: Remark] = [
        "url": .webhookURL.kept, "kinds": .webhookKinds,
        "active": Remark(schema: ["description": "Whether it is called."]).kept,
    ]
}

extension Remark {
    fileprivate static let webhookURL = Remark(
        "`https://` and a host, with what may stand behind; at most 2048 characters. It is only ever called at public addresses, unless the server was told of others.",
        example: "https://example.com/babybasics", ["format": "webhook-url", "maxLength": 2048])
    fileprivate static let webhookKinds = Remark(
        "The kinds that it is called for; all where there is none.", example: ["feeding", "sleep"],
        [
            "minItems": 1,
            "items": ["type": "string", "enum": .strings(EventKind.all.map(\.name)), "examples": ["feeding"]],
        ])
}

extension Webhook: Described {
    static let remarks: [String: Remark] = [
        "url": Remark("Where it is called.", example: "https://example.com/babybasics"),
        "kinds": Remark(
            "The kinds that it is called for; null for all.", example: ["feeding", "sleep"],
            ["items": ["type": "string", "enum": .strings(EventKind.all.map(\.name)), "examples": ["feeding"]]]),
        "active": "Whether it is called.",
        "failed_at":
            "When it was turned off because it had not taken a call for a day; null for one that is on, or was turned off by a parent.",
    ]
}

extension IssuedWebhook: Described {
    static let remarks = Webhook.remarks.merging([
        "secret": Remark(
            "What its calls are signed by, as Standard Webhooks has it. It is shown this once.",
            example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=",
            ["pattern": "^whsec_[A-Za-z0-9+/]{43}=$"])
    ]) { $1 }
}

extension WebhookList: Described {
    static let remarks: [String: Remark] = ["count": .count]
}

extension WebhookDelivery: Described {
    static let remarks: [String: Remark] = [
        "id": "The call’s `webhook-id`.",
        "type": Remark("What happened.", example: "event.created"),
        "kind": Remark("Of the event.", example: "feeding"),
        "state": "`waiting` to be tried, again or at all; `delivered`; or `failed`: it was given up.",
        "attempts": Remark("How often it was tried.", example: 1),
        "last_attempt_at": "Null where it was not tried yet.",
        "status": Remark("Of the last answer; null where nobody answered.", example: 200),
        "failure": Remark("Why nobody answered; null where somebody did.", example: "Timeout was reached"),
    ]
}

extension DeliveryList: Described {
    static let remarks: [String: Remark] = ["count": .count]
}
