public import BabyBasicsAPI
public import JSON
import Postgres

/// Shows who invites to which family, and uses nothing up. Whoever holds the link may ask, without an account.
func previewInvite(_ context: RequestContext) async throws -> Reply<InvitePreviewAnswer> {
    guard let link = try await context.openLink(token: try context.inviteToken()) else {
        throw APIError.noSuchInvite
    }
    return Reply(
        InvitePreviewAnswer(
            invite: InvitePreview(
                family: .init(name: link.familyName),
                invitedBy: NamedPerson(name: link.inviterName), role: link.role,
                expiresAt: link.expiresAt)))
}

extension InvitePreviewAnswer: JSONWritable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member(
                "invite",
                object: {
                    $0.member("family", object: { $0.member("name", invite.family.name) })
                    $0.member("invited_by", invite.invitedBy)
                    $0.member("role", invite.role)
                    $0.member("access_until", invite.accessUntil)
                    $0.member("expires_at", invite.expiresAt)
                })
        }
    }
}
