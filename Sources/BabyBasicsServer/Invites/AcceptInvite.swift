public import BabyBasicsAPI
public import JSON
import Postgres

/// Makes the caller a member of the family that invited. Of any number who try one link at once, one succeeds.
func acceptInvite(_ context: RequestContext, caller: Caller) async throws -> Reply<Joined> {
    let token = try context.inviteToken()
    let user = caller.userID
    let database = context.database
    return try await database.transaction {
        // The family is known only from the link: find it, lock it, and look at the link again under the lock.
        guard let family = try await context.openLink(token: token)?.familyID else {
            throw APIError.noSuchInvite
        }
        try await lockFamily(family, database)
        try await database.requireAccount(user)
        guard let link = try await context.openLink(token: token),
            try await context.isFor(user, link)
        else { throw APIError.noSuchInvite }
        guard link.createdBy != user else {
            throw APIError(.validationError, "Cannot accept your own invite")
        }
        if link.role == .parent, try await !context.isMember(user, of: family),
            try await database.isFull(family, link.policy)
        {
            throw APIError.familyIsFull
        }
        try await join(link, user, context)
        return Reply(
            Joined(
                family: .init(id: family, name: link.familyName, role: link.role),
                invitedBy: NamedPerson(name: link.inviterName)))
    }
}

private func join(_ link: OpenLink, _ user: UserID, _ context: RequestContext) async throws {
    let database = context.database
    try await database.holdName(of: user)
    let revision = try await database.nextRevision(of: link.familyID)
    let joined = try await database.execute(
        """
        insert into family_members (family_id, user_id, role, joined_at, revision)
        values (\(link.familyID), \(user), \(link.role.rawValue), \(context.now), \(revision))
        on conflict (family_id, user_id) do nothing
        """)
    guard joined == 1 else {
        throw APIError(.conflict, "You are already a member of this family")
    }
    // Whoever comes back is no longer somebody who left.
    try await database.execute(
        "delete from tombstones where entity_id = \(user) and family_id = \(link.familyID)")
    try await database.execute(
        "update share_links set used_at = \(context.now), used_by = \(user) where id = \(link.id)")
    var changes = AuditChanges.none
    changes.note("role", from: nil, to: link.role)
    try await context.audit(
        .create, .familyMember, user.uuid, by: user, family: link.familyID, changes: changes)
    var use = AuditChanges.none
    use.note("used_by", from: nil, to: user)
    try await context.audit(
        .update, .shareLink, link.id.uuid, by: user, family: link.familyID, changes: use)
}

extension RequestContext {
    /// Whether an invite that is bound to an email is bound to this user's.
    fileprivate func isFor(_ user: UserID, _ link: OpenLink) async throws -> Bool {
        guard let email = link.inviteeEmail else { return true }
        return try await self.user(user).email == email
    }

    fileprivate func isMember(_ user: UserID, of family: FamilyID) async throws -> Bool {
        try await database.first(
            "select 1::int4 from family_members where family_id = \(family) and user_id = \(user)"
        ) { try $0.next(Int32.self) } != nil
    }
}

extension Joined: JSONWritable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member(
                "family",
                object: {
                    $0.member("id", family.id)
                    $0.member("name", family.name)
                    $0.member("role", family.role)
                })
            $0.member("invited_by", invitedBy)
        }
    }
}

extension NamedPerson: JSONWritable {
    public func write(to json: inout JSONWriter) {
        json.object { $0.member("name", name) }
    }
}
