import BabyBasicsAPI
import Cryptography
import FoundationEssentials
import Postgres

/// Has another program called for what is logged in the family from now on.
func createWebhook(_ context: RequestContext, membership: FamilyMembership) async throws -> Reply<IssuedWebhookAnswer> {
    let fields = try context.fields()
    let reach = context.services.configuration.webhooks.reach
    let (url, kinds) = try fields.all(fields.required("url", .webhookURL(reach)), fields.webhookKinds())
    let (database, family, now) = (context.database, membership.family.id, context.now)
    let secret = WebhookSecret(bytes: try context.services.random(32))
    let id: WebhookID = try context.newIdentifier()
    let inserted = try await database.execute(
        """
        insert into webhooks (id, family_id, url, kinds, secret, created_by, created_at, updated_at, due_at)
        select \(id), \(family), \(url), \(kinds), \(secret.bytes), \(membership.caller.userID), \(now), \(now), \(now)
        where (select count(*) from webhooks where family_id = \(family)) < \(Ceiling.webhooksOfFamily)
        """)
    guard inserted == 1 else { throw APIError.tooManyWebhooks }
    try database.noteWebhooks(of: family)
    let webhook = try await context.webhook(id, of: family)
    try await context.audit(webhook, insteadOf: nil, in: family, by: membership.caller.userID)
    return Reply(IssuedWebhookAnswer(webhook: IssuedWebhook(webhook, secret: secret.text)))
}

/// What calls of a webhook are signed by, as Standard Webhooks has it.
struct WebhookSecret {
    let bytes: [UInt8]

    /// The bytes are 32, after which base64 needs one sign to fill up.
    var text: String { "whsec_\(Encoding.base64(bytes))=" }

    /// `v1,` and the signature.
    func signature(of body: [UInt8], id: String, at seconds: Int64) -> String {
        "v1,\(Encoding.base64(Digest.hmacSHA256(key: bytes, message: Array("\(id).\(seconds).".utf8) + body)))="
    }
}
