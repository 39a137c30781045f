public import BabyBasicsAPI
public import JSON
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

extension MemberList: JSONWritable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("members", members)
            $0.member("count", count)
        }
    }
}

extension MemberAnswer: JSONWritable {
    public func write(to json: inout JSONWriter) {
        json.object { $0.member("member", member) }
    }
}

extension Member: JSONWritable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("user_id", userId)
            $0.member("name", name)
            $0.member("email", email)
            $0.member("role", role)
            $0.member("is_owner", isOwner)
            $0.member("access_until", accessUntil)
            $0.member("revision", revision)
            $0.member("joined_at", joinedAt)
        }
    }
}
