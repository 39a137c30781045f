import BabyBasicsAPI
import Cryptography
import FoundationEssentials
import Postgres

/// What a mail is about.
enum MailKind: String {
    /// Somebody's wish for a link to choose a new password, before it is known whose.
    case forgotten
    case reset
    case verify
    case passwordChanged = "password_changed"
    case emailChanged = "email_changed"
    case invite
    /// To a parent: another program had taken no call for a day.
    case webhookOff = "webhook_off"
}

/// How often mails of one kind go to one mailbox, or are asked for by one account.
enum MailRate {
    static let limit = 3
    static let window = "interval '1 hour'"

    /// Counts one more, unless there were as many as may be; answers a row for one that was counted.
    static func counted(_ kind: MailKind, _ recipient: String, at clock: SQL, limit: Int = limit) -> SQL {
        """
        insert into mail_rates as r (purpose, recipient, sent)
        values (\(kind.rawValue), \(key(recipient)), array[\(fragment: clock)])
        on conflict (purpose, recipient) do update
        set sent = r.sent[greatest(1, cardinality(r.sent) - \(limit - 2)):] || \(fragment: clock)
        where cardinality(r.sent) < \(limit) or r.sent[1] <= \(fragment: clock) - \(unescaped: window)
        returning 1
        """
    }

    /// Whole seconds until the next may be sent.
    static func wait(_ kind: MailKind, _ recipient: String, at clock: SQL) -> SQL {
        """
        select ceil(extract(epoch from sent[1] + \(unescaped: window) - \(fragment: clock)))::int8
        from mail_rates where purpose = \(kind.rawValue) and recipient = \(key(recipient))
        """
    }

    private static func key(_ recipient: String) -> [UInt8] { Digest.sha256(recipient.utf8) }
}

/// What a mailed link opens, and for how long.
enum MailedLinkPurpose: String {
    case reset
    case verify

    var lifetime: Duration { self == .reset ? .seconds(3600) : .seconds(86_400) }

    /// Puts a link in the place of any older one.
    func link(_ token: MailedToken, of mail: UUID, for user: UserID, at email: String, now: Timestamp) -> SQL {
        """
        insert into mailed_links (user_id, purpose, id, token_hash, email, expires_at)
        values (\(user), \(rawValue), \(mail), \(token.hash), \(email), \(now.adding(lifetime)))
        on conflict (user_id, purpose) do update
        set id = excluded.id, token_hash = excluded.token_hash, email = excluded.email, expires_at = excluded.expires_at
        """
    }
}

extension RequestContext {
    var sendsMail: Bool { services.configuration.mail != nil }

    /// - Throws: `APIError` 409 where the server sends no mail.
    func requireMail() throws { guard sendsMail else { throw APIError.noMail } }

    /// Has a mail sent once the transaction at hand, or this statement alone, is committed.
    /// - Returns: nil where nothing is sent: the server sends no mail, or the mailbox has had its share.
    @discardableResult
    func mail(
        _ kind: MailKind, to recipient: String, of user: UserID? = nil, about invite: InviteID? = nil
    ) async throws -> UUID? {
        guard sendsMail, Mailbox(recipient) != nil else { return nil }
        let id: Identifier<MailKind> = try newIdentifier()
        let made = try await database.change(
            """
            with counted as (\(fragment: MailRate.counted(kind, recipient, at: sharedClock)))
            insert into mails (id, kind, user_id, share_link_id, recipient, created_at, due_at)
            select \(id), \(kind.rawValue), \(user), \(invite), \(recipient), \(now), \(fragment: sharedClock) from counted
            returning 1::int4
            """
        ) { try $0.next(Int32.self) }
        guard !made.isEmpty else { return nil }
        database.noteMail()
        return id.uuid
    }

    /// Mails the link by which a user shows that an address is theirs.
    /// - Returns: false where nothing is sent.
    @discardableResult
    func mailVerification(to email: String, of user: UserID) async throws -> Bool {
        guard let id = try await mail(.verify, to: email, of: user) else { return false }
        let token = MailedToken(mail: id, key: services.configuration.inviteKeys[0])
        try await database.execute(MailedLinkPurpose.verify.link(token, of: id, for: user, at: email, now: now))
        return true
    }

    /// Ends what was mailed to a user, in the transaction at hand.
    func endMailedLinks(of user: UserID, _ purposes: MailedLinkPurpose...) async throws {
        try await database.execute(
            "delete from mailed_links where user_id = \(user) and purpose = any(\(purposes.map(\.rawValue)))")
    }

    /// Takes a link that somebody shows, in the transaction at hand: of any number at once, one gets it.
    /// - Throws: `APIError` 404 for one that is unknown, used or too old.
    func takeMailedLink(_ token: String, _ purpose: MailedLinkPurpose) async throws -> (user: UserID, email: String) {
        let taken = try await database.change(
            """
            delete from mailed_links
            where token_hash = \(MailedToken.hash(token)) and purpose = \(purpose.rawValue) and expires_at > \(now)
            returning user_id, email
            """
        ) { (user: try $0.next(UserID.self), email: try $0.next(String.self)) }
        guard let link = taken.first else { throw APIError.deadLink }
        return link
    }

    /// Notes that a user has shown an address to be theirs, if it still is the account's.
    func verify(_ user: UserID, has email: String) async throws {
        let changed = try await database.execute(
            """
            update users set email_verified_at = \(now), updated_at = \(now)
            where id = \(user) and email = \(email) and email_verified_at is null
            """)
        guard changed == 1 else { return }
        try await endMailedLinks(of: user, .verify)
        try await audit(.update, .user, user.uuid, by: user, changes: .emailVerified)
    }
}

extension APIError {
    static let noMail = APIError(.conflict, "This server sends no mail. Ask whoever runs it.")
    static let deadLink = APIError(.notFound, "This link is no longer valid")
}
