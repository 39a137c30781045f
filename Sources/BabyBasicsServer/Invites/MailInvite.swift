import BabyBasicsAPI
import Postgres

extension RequestContext {
    /// How many invites one person mails in an hour, to whomever.
    private static let invitesOfPerson = 20

    /// Mails an invite to whom it is bound, in the transaction at hand.
    /// - Throws: `APIError` 429 where the mailbox, or the inviter, has had its share.
    func mailInvite(
        _ id: InviteID, nonce: [UInt8], to email: String?, by membership: FamilyMembership
    ) async throws {
        guard let email else { throw APIError.unexplained }
        let inviter = membership.caller.userID.description
        let counted = MailRate.counted(.invite, inviter, at: sharedClock, limit: Self.invitesOfPerson)
        guard try await !database.change(counted, { try $0.next(Int32.self) }).isEmpty else {
            throw try await mailedEnough(.invite, inviter)
        }
        guard try await mail(.invite, to: email, of: nil, about: id) != nil else {
            throw try await mailedEnough(.invite, email)
        }
        let secret = InviteSecret.mailed(nonce: nonce, key: services.configuration.inviteKeys[0])
        let hash = InviteSecret.hash(ofToken: secret.token)
        // One that was mailed before keeps its link, though its key be an old one.
        try await database.execute(
            "update share_links set mail_token_hash = coalesce(mail_token_hash, \(hash)) where id = \(id)")
    }
}
