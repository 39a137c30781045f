import BabyBasicsAPI
import Postgres

/// Shows who invites to which family, and uses nothing up. Whoever holds the link may ask, without an account.
func previewInvite(_ context: RequestContext) async throws -> Reply<InvitePreviewAnswer> {
    guard let hash = InviteSecret.hash(ofEitherForm: try context.inviteToken()) else {
        throw APIError.noSuchInvite
    }
    // Unknown, used, revoked and expired ones are the same to whoever asks.
    let preview = try await context.database.first(
        """
        select f.name, coalesce(u.name, ''), l.role, l.access_until, l.expires_at
        from share_links l join families f on f.id = l.family_id left join users u on u.id = l.created_by
        where (l.token_hash = \(hash) or l.mail_token_hash = \(hash)) and \(fragment: OpenInvites.areOpen("l", at: context.now))
        """
    ) {
        InvitePreview(
            family: .init(name: try $0.next()), invitedBy: NamedPerson(name: try $0.next()),
            role: try $0.next(), accessUntil: try $0.next(), expiresAt: try $0.next())
    }
    guard let preview else { throw APIError.noSuchInvite }
    return Reply(InvitePreviewAnswer(invite: preview))
}
