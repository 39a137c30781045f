import BabyBasicsAPI
import Postgres

/// Everyone in the family, in the order in which they joined.
func listMembers(_ context: RequestContext, membership: FamilyMembership) async throws
    -> Reply<MemberList>
{
    Reply(MemberList(members: try await context.members(of: membership.family)))
}

extension RequestContext {
    /// Those who belong to a family at present, in the order in which they joined.
    func members(of family: Family) async throws -> [Member] {
        try await database.rows(
            """
            select m.user_id, u.name, u.email, m.role, m.access_until, m.revision, m.joined_at
            from \(fragment: Members.current("m", at: now)) join users u on u.id = m.user_id
            where m.family_id = \(family.id)
            order by m.joined_at, m.revision
            """
        ) {
            let user: UserID = try $0.next()
            return Member(
                userId: user, name: try $0.next(), email: try $0.next(), role: try $0.next(),
                isOwner: user == family.ownerId, accessUntil: try $0.next(), revision: try $0.next(),
                joinedAt: try $0.next())
        }
    }
}
