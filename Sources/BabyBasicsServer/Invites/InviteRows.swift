import BabyBasicsAPI
import Postgres

/// An invite that can still be accepted, as the database has it.
struct OpenLink {
    let id: InviteID
    let familyID: FamilyID
    let familyName: String
    let policy: SharingPolicy
    let role: Role
    let inviteeEmail: String?
    let createdBy: UserID?
    let inviterName: String
    let expiresAt: Timestamp
}

extension RequestContext {
    /// The open invite of a token in either of its forms, or nil: unknown, used, revoked and expired ones are the same to whoever asks.
    func openLink(token: String) async throws -> OpenLink? {
        guard let hash = InviteSecret.hash(ofEitherForm: token) else { return nil }
        return try await database.first(
            """
            select l.id, l.family_id, f.name, f.sharing_policy, l.role, l.invitee_email, l.created_by,
                coalesce(u.name, ''), l.expires_at
            from share_links l join families f on f.id = l.family_id left join users u on u.id = l.created_by
            where l.token_hash = \(hash) and l.used_at is null and l.revoked_at is null
                and l.expires_at > \(now)
            """
        ) {
            OpenLink(
                id: try $0.next(), familyID: try $0.next(), familyName: try $0.next(),
                policy: try $0.next(), role: try $0.next(), inviteeEmail: try $0.next(),
                createdBy: try $0.next(), inviterName: try $0.next(), expiresAt: try $0.next())
        }
    }

    /// Ends every open invite of a family, in the transaction at hand. Locked in one order, because whoever deletes an account ends the
    /// invites to its email in any family.
    func revokeOpenInvites(of family: FamilyID, by actor: UserID) async throws {
        let revoked = try await database.rows(
            """
            update share_links set revoked_at = \(now)
            where id in (
                select id from share_links
                where family_id = \(family) and used_at is null and revoked_at is null and expires_at > \(now)
                order by id for no key update
            )
            returning id
            """
        ) { try $0.next(InviteID.self) }
        for invite in revoked {
            try await audit(.delete, .shareLink, invite.uuid, by: actor, family: family)
        }
    }

    /// The `token` of a body.
    /// - Throws: `APIError` 400 where it is missing or no string.
    func inviteToken() throws -> String {
        let fields = try fields()
        return try fields.all(fields.required("token", .anything))
    }
}

extension APIError {
    static let noSuchInvite = APIError(.notFound, "Invalid or expired invite link")
    static let familyIsFull = APIError(.conflict, "This family already has two parents")
}

extension Database {
    /// Whether a family has as many parents as its policy allows.
    func isFull(_ family: FamilyID, _ policy: SharingPolicy) async throws -> Bool {
        guard let maximum = policy.rules.maximumParents else { return false }
        let parents = try await first(
            "select count(*) from family_members where family_id = \(family) and role = 'parent'"
        ) { try $0.next(Int64.self) }
        return Int(parents ?? 0) >= maximum
    }
}
