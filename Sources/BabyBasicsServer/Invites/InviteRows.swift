import BabyBasicsAPI
import Postgres

/// Which invites can still be accepted.
enum OpenInvites {
    /// Whether a link `l` is open at a moment. Nobody would be a member by one whose membership has ended.
    static func areOpen(_ l: String, at moment: String) -> String {
        """
        \(l).used_at is null and \(l).revoked_at is null and \(l).expires_at > \(moment)
        and (\(l).access_until is null or \(l).access_until > \(moment))
        """
    }

    static func areOpen(_ l: String, at moment: Timestamp) -> SQL {
        """
        \(unescaped: l).used_at is null and \(unescaped: l).revoked_at is null and \(unescaped: l).expires_at > \(moment)
        and (\(unescaped: l).access_until is null or \(unescaped: l).access_until > \(moment))
        """
    }
}

extension RequestContext {
    /// Ends every open invite of a family, in the transaction at hand. Locked in one order, because whoever deletes an account ends the
    /// invites to its email in any family.
    func revokeOpenInvites(of family: FamilyID, by actor: UserID) async throws {
        let revoked = try await database.rows(
            """
            update share_links set revoked_at = \(now)
            where id in (
                select l.id from share_links l
                where l.family_id = \(family) and \(fragment: OpenInvites.areOpen("l", at: now))
                order by l.id for no key update
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
    static let noSuchInviteForUnverified = APIError(
        .notFound, "Invalid or expired invite link. If it was sent to your address, confirm that address first.")
    static let familyIsFull = APIError(.conflict, "This family already has two parents")
}
