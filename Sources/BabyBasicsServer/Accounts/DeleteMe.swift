import BabyBasicsAPI
import Postgres

/// Deletes the caller's account. What was logged for families that go on stays, under the name; nothing else of the person does.
func deleteMe(_ context: RequestContext, caller: Caller) async throws -> Reply<Empty> {
    let fields = try context.fields()
    let password = try fields.all(fields.required("password", .anything))
    let user = caller.userID
    let reply: Reply<Empty> = try await context.withOwnPassword(password, of: caller) { account in
        let database = context.database
        return try await database.transaction {
            // Families before the user, as everywhere, and in one order, so that no two wait for each other.
            let locked = try await database.lockFamilies(of: user)
            guard try await database.lock(account, of: user) else { return nil }
            let memberships = try await database.memberships(of: user, at: context.now)
            // Who joined a family after the families were locked begins again. From here on the account's lock keeps it out of any other.
            let ended = try await database.endedFamilies(of: user, at: context.now)
            guard locked.isSuperset(of: memberships.map(\.family.id) + ended) else { return nil }
            try refuse(unless: memberships)
            for family in ended {
                try await database.execute(Members.removalOfExpired(from: family, of: user, at: context.now))
                database.noteChange(of: family)
            }
            for membership in memberships {
                if membership.others == 0 {
                    try await context.delete(membership.family, by: user)
                } else {
                    _ = try await context.remove(user, from: membership.family, by: user)
                }
            }
            try await context.forgetInvitee(account.email)
            try await context.endSessions(of: user, except: nil, by: user)
            try await context.endMailedLinks(of: user, .reset, .verify)
            // Those to the address that are nobody's yet are not for whoever has it next.
            try await database.execute("delete from mails where user_id = \(user) or recipient = \(account.email)")
            try await context.bury(user, account.attempt)
            return .nothing
        }
    }
    context.sessionHasEnded = true
    return reply
}

private struct Membership {
    let family: Family
    let role: Role
    let others: Int64
    let otherParents: Int64
}

/// A family with members must not be left without a parent.
/// - Throws: `APIError` 409 that names each such family.
private func refuse(unless memberships: [Membership]) throws {
    let stranded = memberships.filter {
        $0.role == .parent && $0.otherParents == 0 && $0.others > 0
    }
    guard stranded.isEmpty else {
        throw APIError(
            .conflict,
            "You are the only parent of families that others belong to. Invite another parent or delete them first.",
            details: stranded.map {
                .init(field: $0.family.id.description, message: $0.family.name, reason: .notAllowed)
            })
    }
}

extension Database {
    /// Keeps everybody from making anything that belongs to the user; false where the account has changed since it was checked.
    fileprivate func lock(_ account: CheckedAccount, of user: UserID) async throws -> Bool {
        try await execute(
            """
            select from users
            where id = \(user) and password_hash = \(account.passwordHash) and email = \(account.email) for update
            """) == 1
    }

    fileprivate func memberships(of user: UserID, at now: Timestamp) async throws -> [Membership] {
        try await rows(
            """
            select f.id, f.name, f.sharing_policy, f.owner_id, f.revision, f.created_at, f.updated_at, m.role,
                (select count(*) from \(fragment: Members.current("o", at: now)) where o.family_id = f.id and o.user_id <> m.user_id),
                (select count(*) from \(fragment: Members.current("o", at: now))
                 where o.family_id = f.id and o.user_id <> m.user_id and o.role = 'parent')
            from \(fragment: Members.current("m", at: now)) join families f on f.id = m.family_id
            where m.user_id = \(user) order by f.id
            """
        ) {
            Membership(
                family: try Family(&$0), role: try $0.next(), others: try $0.next(),
                otherParents: try $0.next())
        }
    }

    /// Where the user's time is over, and the purge has not come yet.
    fileprivate func endedFamilies(of user: UserID, at now: Timestamp) async throws -> [FamilyID] {
        try await rows(
            """
            select family_id from \(unescaped: Members.table)
            where user_id = \(user) and \(fragment: Members.isExpired(at: now)) order by family_id
            """
        ) { try $0.next(FamilyID.self) }
    }
}

extension RequestContext {
    /// Takes an email out of every invite. Those that nobody else could have accepted end, for without it anybody could. Nobody is named
    /// as having ended them: who invited an email is not to learn whose it was.
    fileprivate func forgetInvitee(_ email: String) async throws {
        let bound = try await database.rows(
            """
            select id, family_id, used_at is null and revoked_at is null and expires_at > \(now) from share_links
            where invitee_email = \(email) order by id for no key update
            """
        ) {
            (
                id: try $0.next(InviteID.self), family: try $0.next(FamilyID.self),
                isOpen: try $0.next(Bool.self)
            )
        }
        for invite in bound {
            if invite.isOpen {
                try await audit(.delete, .shareLink, invite.id.uuid, by: nil, family: invite.family)
            }
        }
        try await database.execute(
            """
            update share_links set invitee_email = null,
                revoked_at = case when used_at is null then coalesce(revoked_at, \(now)) else revoked_at end
            where id = any(\(bound.map(\.id.uuid)))
            """)
    }

    /// Leaves of an account what names it in the families' entries, and frees its email.
    fileprivate func bury(_ user: UserID, _ attempt: LoginAttempt) async throws {
        try await forgetFailures(attempt)
        try await forgetPlaces(attempt, exceptHere: false)
        try await database.execute(
            """
            update users set email = null, email_verified_at = null, password_hash = null, timezone = default,
                day_start_time = default, quiet_from = null, quiet_to = null, show_details = default,
                language = default, updated_at = \(now), deleted_at = \(now)
            where id = \(user)
            """)
        try await audit(.delete, .user, user.uuid, by: user)
    }
}
