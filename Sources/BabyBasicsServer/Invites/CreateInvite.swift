public import BabyBasicsAPI
import Cryptography
public import JSON
import Postgres

/// Makes a link that lets one person join, or shows the open one that is the same again.
func createInvite(_ context: RequestContext, membership: FamilyMembership) async throws
    -> Reply<InviteAnswer>
{
    let family = membership.family
    let rules = family.sharingPolicy.rules
    try membership.requireManager(otherwise: "Only the owner can invite")
    let terms = try context.terms(rules)
    let found = try await context.openInvites(of: family.id, terms)
    if terms.role == .parent, rules.isFull(parents: found.parents) { throw APIError.familyIsFull }
    guard found.members < Ceiling.membersOfFamily else { throw APIError.tooManyMembers }
    var open = found.open
    if let same = found.same {
        if let secret = context.secret(of: same) {
            if terms.isSent {
                try await context.mailInvite(same.id, nonce: same.nonce, to: terms.email, by: membership)
            }
            return Reply(context.answer(same.id, secret, terms, same.expiresAt, same.createdAt, rules))
        }
        // Its key is gone: nobody can be shown that link again.
        try context.database.enqueue(
            "update share_links set revoked_at = \(context.now) where id = \(same.id)")
        try await context.audit(
            .delete, .shareLink, same.id.uuid, by: membership.caller.userID, family: family.id)
        open -= 1
    }
    guard open < Ceiling.openInvitesOfFamily else { throw APIError.tooManyInvites }
    return Reply(try await context.invite(to: membership, terms, rules))
}

/// What makes two invites of a family the same.
private struct InviteTerms {
    let role: Role
    let email: String?
    let label: String?
    let accessUntil: Timestamp?
    /// Whether it is to be mailed; no part of what makes them the same.
    let isSent: Bool
}

/// An open invite on the same terms.
private struct StoredInvite {
    let id: InviteID
    let nonce: [UInt8]
    let tokenHash: String
    let createdAt: Timestamp
    let expiresAt: Timestamp
}

extension RequestContext {
    fileprivate func terms(_ rules: SharingRules) throws -> InviteTerms {
        let fields = try fields()
        let parsedRole = fields.required("role", .role)
        if let parsedRole, !rules.roles.contains(parsedRole) {
            fields.problem("role", "cannot be invited to this family", .notAllowed) as Never?
        }
        let parsedEmail = fields.optional("invitee_email", .email)
        let isSent = fields.optional("send", .flag)
        if isSent == true, parsedEmail == .some(nil) {
            fields.problem("invitee_email", "is required for an invite that is sent", .required) as Never?
        }
        let (role, email, label, until, send) = try fields.all(
            parsedRole, parsedEmail, fields.label(), fields.accessUntil(of: parsedRole, now: now), isSent)
        if send == true { try requireMail() }
        return InviteTerms(role: role, email: email, label: label, accessUntil: until, isSent: send == true)
    }

    /// How many members, parents and open invites the family has, and the invite that is there already.
    fileprivate func openInvites(
        of family: FamilyID, _ terms: InviteTerms
    ) async throws -> (members: Int, parents: Int, open: Int, same: StoredInvite?) {
        let found = try await database.first(
            """
            select m.members, m.parents, o.open, l.id, l.nonce, l.token_hash, l.created_at, l.expires_at
            from (
                select count(*) as members, count(*) filter (where role = 'parent') as parents
                from \(fragment: Members.current("m", at: now)) where family_id = \(family)
            ) m
            cross join (
                select count(*) as open from share_links l
                where l.family_id = \(family) and \(fragment: OpenInvites.areOpen("l", at: now))
            ) o
            left join lateral (
                select * from share_links l
                where l.family_id = \(family) and \(fragment: OpenInvites.areOpen("l", at: now)) and l.nonce is not null
                    and l.role = \(terms.role.rawValue) and l.invitee_email is not distinct from \(terms.email)
                    and l.label is not distinct from \(terms.label)
                    and l.access_until is not distinct from \(terms.accessUntil)
                order by l.created_at desc limit 1
            ) l on true
            """
        ) { row in
            (
                members: Int(try row.next(Int64.self)), parents: Int(try row.next(Int64.self)),
                open: Int(try row.next(Int64.self)),
                same: try row.next(InviteID?.self).map {
                    StoredInvite(
                        id: $0, nonce: try row.next(), tokenHash: try row.next(),
                        createdAt: try row.next(), expiresAt: try row.next())
                }
            )
        }
        guard let found else { throw APIError.unexplained }
        return found
    }

    /// Nil where no key that is in use made it.
    fileprivate func secret(of invite: StoredInvite) -> InviteSecret? {
        services.configuration.inviteKeys.lazy.map { InviteSecret(nonce: invite.nonce, key: $0) }
            .first { InviteSecret.hash(ofToken: $0.token) == invite.tokenHash }
    }

    fileprivate func invite(
        to membership: FamilyMembership, _ terms: InviteTerms, _ rules: SharingRules
    ) async throws -> InviteAnswer {
        let (family, caller) = (membership.family.id, membership.caller.userID)
        let id: InviteID = try newIdentifier()
        let nonce = try services.random(16)
        let secret = InviteSecret(nonce: nonce, key: services.configuration.inviteKeys[0])
        let expiresAt = now.adding(rules.inviteLifetime)
        try database.enqueue(
            """
            insert into share_links (id, family_id, role, nonce, token_hash, invitee_email, label, access_until,
                created_by, created_at, expires_at)
            values (\(id), \(family), \(terms.role.rawValue), \(nonce), \(InviteSecret.hash(ofToken: secret.token)),
                \(terms.email), \(terms.label), \(terms.accessUntil), \(caller), \(now), \(expiresAt))
            """)
        var changes = AuditChanges.none
        changes.note("role", from: nil, to: terms.role)
        changes.note("label", from: nil, to: terms.label)
        changes.note("access_until", from: nil, to: terms.accessUntil)
        try await audit(.create, .shareLink, id.uuid, by: caller, family: family, changes: changes)
        if terms.isSent { try await mailInvite(id, nonce: nonce, to: terms.email, by: membership) }
        return answer(id, secret, terms, expiresAt, now, rules)
    }

    fileprivate func answer(
        _ id: InviteID, _ secret: InviteSecret, _ terms: InviteTerms, _ expiresAt: Timestamp,
        _ createdAt: Timestamp, _ rules: SharingRules
    ) -> InviteAnswer {
        let configuration = services.configuration
        return InviteAnswer(
            invite: Invite(
                id: id, joinUrl: "\(configuration.baseURL)/join/\(secret.token)",
                deepLink: rules.hasDeepLink
                    ? "\(configuration.deepLinkScheme)://invite/\(secret.uuid)" : nil,
                role: terms.role, inviteeEmail: terms.email, label: terms.label,
                accessUntil: terms.accessUntil, expiresAt: expiresAt, createdAt: createdAt))
    }
}

/// By hand: where the family's policy has no deep link, none is mentioned.
extension Invite: JSONWritable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("id", id)
            $0.member("join_url", joinUrl)
            if let deepLink { $0.member("deep_link", deepLink) }
            $0.member("role", value: role)
            $0.member("invitee_email", inviteeEmail)
            $0.member("label", label)
            $0.member("access_until", accessUntil)
            $0.member("expires_at", expiresAt)
            $0.member("created_at", createdAt)
        }
    }
}
