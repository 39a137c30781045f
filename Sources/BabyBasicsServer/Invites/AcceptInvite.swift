import BabyBasicsAPI
import Postgres

/// Makes the caller a member of the family that invited. Of any number who try one link at once, one succeeds; who has succeeded may ask again.
func acceptInvite(_ context: RequestContext) async throws -> Reply<Joined> {
    let hash = (try? context.inviteToken()).flatMap(InviteSecret.hash(ofEitherForm:))
    let found = try await context.invitation(hash)
    // That there is a token is asked only of whoever is signed in.
    _ = try context.inviteToken()
    let user = try context.authenticated.userID
    // Whoever is refused locks nothing.
    guard let found, try found.isToBeAccepted(by: user, context) else { return try await again(found, context) }
    let database = context.database
    return try await database.transaction {
        try await database.lockFamily(found.familyID)
        try database.lockUser(user)
        let locked = try await context.invitation(hash)
        guard let locked, try locked.isToBeAccepted(by: user, context) else { return try await again(locked, context) }
        if locked.provesEmail { try await context.verify(user, has: locked.callerEmail) }
        try await context.join(locked, user)
        return Reply(locked.joined)
    }
}

private func again(_ invitation: Invitation?, _ context: RequestContext) async throws -> Reply<Joined> {
    guard let invitation else {
        let caller = try await context.user(context.authenticated.userID)
        throw context.noSuchInvite(isVerified: caller.emailVerified)
    }
    return Reply(invitation.joined, status: 200)
}

/// A link and what decides whether the caller joins by it.
private struct Invitation {
    let id: InviteID
    let familyID: FamilyID
    let familyName: String
    let policy: SharingPolicy
    let role: Role
    let accessUntil: Timestamp?
    let createdBy: UserID?
    let inviterName: String
    let isOpen: Bool
    /// Bound to an email, and to the caller's.
    let isBound: Bool
    let isForCaller: Bool
    let callerEmail: String
    let callerIsVerified: Bool
    /// Shown by the link that was mailed.
    let isMailed: Bool
    let wasUsedByCaller: Bool
    let callerIsMember: Bool
    /// Of a membership of the caller's whose time is over, and which the purge has not found yet.
    let former: (role: Role, accessUntil: Timestamp?)?
    let membersCount: Int
    let parentsCount: Int
    let familiesOfCallerCount: Int

    /// Whoever shows the mailed link and has the address that it was mailed to.
    var provesEmail: Bool { isMailed && isBound && isForCaller && !callerIsVerified }

    /// - Returns: false where the caller has accepted it already.
    /// - Throws: `APIError` 404, 400 or 409, in this order.
    func isToBeAccepted(by user: UserID, _ context: RequestContext) throws -> Bool {
        if wasUsedByCaller, callerIsMember { return false }
        let mayHaveAddress = !isBound || callerIsVerified || provesEmail || !context.sendsMail
        guard isOpen, isForCaller, mayHaveAddress else {
            throw context.noSuchInvite(isVerified: callerIsVerified)
        }
        guard createdBy != user else {
            throw APIError(.validationError, "Cannot accept your own invite")
        }
        guard !callerIsMember else {
            throw APIError(.conflict, "You are already a member of this family")
                .of("token", "is of a family that you belong to", .duplicate)
        }
        if role == .parent, policy.rules.isFull(parents: parentsCount) {
            throw APIError.familyIsFull.of("token", "would make a third parent", .notAllowed)
        }
        guard membersCount < Ceiling.membersOfFamily else {
            throw APIError.tooManyMembers.of("token", "is of a family that is full", .tooLarge)
        }
        guard familiesOfCallerCount < Ceiling.familiesOfUser else {
            throw APIError.tooManyFamilies.of("token", "would be one family too many", .tooLarge)
        }
        return true
    }

    var joined: Joined {
        Joined(
            family: .init(id: familyID, name: familyName, role: role),
            invitedBy: NamedPerson(name: inviterName))
    }
}

private let invitationForCaller: Question = {
    let count = { (condition: String) in
        "(select count(*) from \(Members.current("o", at: "$2")) where \(condition))"
    }
    return .ofUser(
        columns: """
            l.id is not null, l.id, l.family_id, f.name, f.sharing_policy, l.role, l.access_until, l.created_by,
            coalesce(i.name, ''), \(OpenInvites.areOpen("l", at: "$2")),
            l.invitee_email is not null, l.invitee_email is null or l.invitee_email = u.email, u.email,
            u.email_verified_at is not null, l.mail_token_hash is not distinct from $3, l.used_by is not distinct from u.id,
            m.user_id is not null, r.role, r.access_until,
            \(count("o.family_id = l.family_id")), \(count("o.family_id = l.family_id and o.role = 'parent'")),
            \(count("o.user_id = u.id"))
            """,
        from: """
            join users u on u.id = caller.user_id
            left join (
                share_links l join families f on f.id = l.family_id left join users i on i.id = l.created_by
            ) on l.token_hash = $3 or l.mail_token_hash = $3
            left join \(Members.current("m", at: "$2")) on m.family_id = l.family_id and m.user_id = u.id
            left join \(Members.table) r on r.family_id = l.family_id and r.user_id = u.id
            """)
}()

extension RequestContext {
    /// What it says depends on the caller alone, whomever the link is for, and whether or not there is one.
    fileprivate func noSuchInvite(isVerified: Bool) -> APIError {
        sendsMail && !isVerified ? APIError.noSuchInviteForUnverified : APIError.noSuchInvite
    }

    fileprivate func invitation(_ hash: String?) async throws -> Invitation? {
        try await ask(invitationForCaller) {
            $0.append(hash)
        } _: { row in
            try row.next(Bool.self) ? Invitation(&row) : nil
        }[0]
    }

    fileprivate func join(_ invitation: Invitation, _ user: UserID) async throws {
        let family = invitation.familyID
        if let former = invitation.former {
            try database.enqueue(
                "delete from \(unescaped: Members.table) where family_id = \(family) and user_id = \(user)")
            var end = AuditChanges.none
            end.note("role", from: former.role, to: nil)
            end.note("access_until", from: former.accessUntil, to: nil)
            try await audit(.delete, .familyMember, user.uuid, by: nil, family: family, changes: end)
        }
        try database.enqueue(
            """
            insert into \(unescaped: Members.table) (family_id, user_id, role, access_until, joined_at, revision)
            values (\(family), \(user), \(invitation.role.rawValue), \(invitation.accessUntil), \(now),
                \(database.takeRevisions(of: family)))
            """)
        // Whoever comes back is no longer somebody who left.
        try database.enqueue("delete from tombstones where entity_id = \(user) and family_id = \(family)")
        try database.enqueue(
            "update share_links set used_at = \(now), used_by = \(user) where id = \(invitation.id)")
        try tell(.joined, of: user, in: family)
        try tellEnd(of: user, in: family, at: invitation.accessUntil)
        var changes = AuditChanges.none
        changes.note("role", from: nil, to: invitation.role)
        changes.note("access_until", from: nil, to: invitation.accessUntil)
        try await audit(.create, .familyMember, user.uuid, by: user, family: family, changes: changes)
        var use = AuditChanges.none
        use.note("used_by", from: nil, to: user)
        try await audit(.update, .shareLink, invitation.id.uuid, by: user, family: family, changes: use)
    }
}

extension Invitation {
    fileprivate init(_ row: inout Row) throws {
        id = try row.next()
        familyID = try row.next()
        familyName = try row.next()
        policy = try row.next()
        role = try row.next()
        accessUntil = try row.next()
        createdBy = try row.next()
        inviterName = try row.next()
        isOpen = try row.next()
        isBound = try row.next()
        isForCaller = try row.next()
        callerEmail = try row.next()
        callerIsVerified = try row.next()
        isMailed = try row.next()
        wasUsedByCaller = try row.next()
        callerIsMember = try row.next()
        let (role, end) = (try row.next(Role?.self), try row.next(Timestamp?.self))
        former = callerIsMember ? nil : role.map { (role: $0, accessUntil: end) }
        membersCount = Int(try row.next(Int64.self))
        parentsCount = Int(try row.next(Int64.self))
        familiesOfCallerCount = Int(try row.next(Int64.self))
    }
}
