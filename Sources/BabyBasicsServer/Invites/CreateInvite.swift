public import BabyBasicsAPI
import Cryptography
public import JSON
import Postgres

/// Makes a link that lets one person join, or shows the open one for the same role and email again.
func createInvite(_ context: RequestContext, membership: FamilyMembership) async throws
    -> Reply<InviteAnswer>
{
    let family = membership.family
    let rules = family.sharingPolicy.rules
    let caller = membership.caller.userID
    try membership.requireManager(otherwise: "Only the owner can invite")
    let fields = try context.fields()
    let parsedRole = fields.required("role", .role)
    if let parsedRole, !rules.roles.contains(parsedRole) {
        fields.problem("role", "cannot be invited to this family") as Never?
    }
    let (role, email) = try fields.all(parsedRole, fields.optional("invitee_email", .email))
    let database = context.database
    if role == .parent, try await database.isFull(family.id, family.sharingPolicy) {
        throw APIError.familyIsFull
    }
    let keys = context.services.configuration.inviteKeys
    if let open = try await openInvite(family.id, role, email, context) {
        let secret = keys.lazy.map { InviteSecret(nonce: open.nonce, key: $0) }
            .first { InviteSecret.hash(ofToken: $0.token) == open.tokenHash }
        if let secret {
            return Reply(
                context.answer(open.id, secret, role, email, open.expiresAt, open.createdAt, rules))
        }
        // Its key is gone: nobody can be shown that link again.
        try await database.execute(
            "update share_links set revoked_at = \(context.now) where id = \(open.id)")
        try await context.audit(.delete, .shareLink, open.id.uuid, by: caller, family: family.id)
    }
    let id: InviteID = try context.newIdentifier()
    let nonce = try context.services.random(16)
    let secret = InviteSecret(nonce: nonce, key: keys[0])
    let expiresAt = context.now.adding(rules.inviteLifetime)
    try await database.execute(
        """
        insert into share_links (id, family_id, role, nonce, token_hash, invitee_email, created_by, created_at, expires_at)
        values (\(id), \(family.id), \(role.rawValue), \(nonce), \(InviteSecret.hash(ofToken: secret.token)),
            \(email), \(caller), \(context.now), \(expiresAt))
        """)
    var changes = AuditChanges.none
    changes.note("role", from: nil, to: role)
    try await context.audit(.create, .shareLink, id.uuid, by: caller, family: family.id, changes: changes)
    return Reply(context.answer(id, secret, role, email, expiresAt, context.now, rules))
}

private struct StoredInvite {
    let id: InviteID
    let nonce: [UInt8]
    let tokenHash: String
    let createdAt: Timestamp
    let expiresAt: Timestamp
}

private func openInvite(
    _ family: FamilyID, _ role: Role, _ email: String?, _ context: RequestContext
) async throws -> StoredInvite? {
    try await context.database.first(
        """
        select id, nonce, token_hash, created_at, expires_at from share_links
        where family_id = \(family) and role = \(role.rawValue) and invitee_email is not distinct from \(email)
            and nonce is not null and used_at is null and revoked_at is null and expires_at > \(context.now)
        order by created_at desc limit 1
        """
    ) {
        StoredInvite(
            id: try $0.next(), nonce: try $0.next(), tokenHash: try $0.next(),
            createdAt: try $0.next(), expiresAt: try $0.next())
    }
}

extension RequestContext {
    fileprivate func answer(
        _ id: InviteID, _ secret: InviteSecret, _ role: Role, _ email: String?,
        _ expiresAt: Timestamp, _ createdAt: Timestamp, _ rules: SharingRules
    ) -> InviteAnswer {
        let configuration = services.configuration
        return InviteAnswer(
            invite: Invite(
                id: id, joinUrl: "\(configuration.baseURL)/join/\(secret.token)",
                deepLink: rules.hasDeepLink
                    ? "\(configuration.deepLinkScheme)://invite/\(secret.uuid)" : nil,
                role: role, inviteeEmail: email, expiresAt: expiresAt, createdAt: createdAt))
    }
}

extension InviteAnswer: JSONWritable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member(
                "invite",
                object: {
                    $0.member("id", invite.id)
                    $0.member("join_url", invite.joinUrl)
                    if let link = invite.deepLink { $0.member("deep_link", link) }
                    $0.member("role", invite.role)
                    $0.member("invitee_email", invite.inviteeEmail)
                    $0.member("label", invite.label)
                    $0.member("access_until", invite.accessUntil)
                    $0.member("expires_at", invite.expiresAt)
                    $0.member("created_at", invite.createdAt)
                })
        }
    }
}
