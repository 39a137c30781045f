import BabyBasicsAPI
import FoundationEssentials
import Postgres

/// Finds out what a mail says, at the moment that it is sent.
struct LetterFacts {
    let database: Database
    let configuration: ServerConfiguration
    let clock: any Clock

    /// Nil where there is nothing to write any more: the link is used, the invite is over, the account is gone.
    func letter(of mail: WaitingMail, at sharedClock: SQL) async throws -> Letter? {
        let letters = Letters(mail.language)
        let moment = mail.claim.createdAt
        switch mail.kind {
        case nil: return nil
        case .forgotten:
            return try await makeLink(for: mail, at: sharedClock).map { letters.reset(url: $0) }
        case .reset: return try await link(of: mail, .reset).map { letters.reset(url: $0) }
        case .verify: return try await link(of: mail, .verify).map { letters.verify(url: $0) }
        case .passwordChanged: return letters.passwordChanged(at: moment, server: configuration.baseURL)
        case .emailChanged: return letters.emailChanged(at: moment)
        case .invite: return try await invite(mail, letters)
        case .webhookOff:
            guard try await hasFailedWebhook(mail.user) else { return nil }
            return letters.webhookOff(at: moment, server: configuration.baseURL)
        }
    }

    private func url(_ purpose: MailedLinkPurpose, _ token: MailedToken) -> String {
        "\(configuration.baseURL)/\(purpose.rawValue)/\(token.text)"
    }

    /// The link that was stored with the mail, if it still opens something.
    private func link(of mail: WaitingMail, _ purpose: MailedLinkPurpose) async throws -> String? {
        let stored = try await database.first(
            """
            select token_hash from mailed_links
            where user_id = \(mail.user) and purpose = \(purpose.rawValue) and id = \(mail.claim.id)
                and expires_at > \(clock.now())
            """
        ) { try $0.next([UInt8].self) }
        // The key may have been replaced since.
        return configuration.inviteKeys.lazy.map { MailedToken(mail: mail.claim.id, key: $0) }
            .first { $0.hash == stored }.map { url(purpose, $0) }
    }

    /// Whoever asked was answered already, known or not. Here the account is looked for, and a link made if it has not had its share.
    private func makeLink(for mail: WaitingMail, at sharedClock: SQL) async throws -> String? {
        let token = MailedToken(mail: mail.claim.id, key: configuration.inviteKeys[0])
        let isMade = try await database.transaction {
            let user = try await database.first(
                "select id from users where email = \(mail.recipient) and disabled_at is null for no key update"
            ) { try $0.next(UserID.self) }
            guard let user else { return false }
            let counted = MailRate.counted(.reset, mail.recipient, at: sharedClock)
            guard try await database.change(counted, { try $0.next(Int32.self) }).first != nil else { return false }
            let purpose = MailedLinkPurpose.reset
            let moment = mail.claim.createdAt
            try await database.execute(
                purpose.link(token, of: mail.claim.id, for: user, at: mail.recipient, now: moment))
            // From here on it is this account's mail, however often it is tried.
            let named = try await database.execute(
                """
                update mails set kind = 'reset', user_id = \(user)
                where id = \(mail.claim.id) and attempts = \(mail.claim.attempts)
                """)
            guard named == 1 else { throw APIError.unexplained }
            return true
        }
        return isMade ? url(.reset, token) : nil
    }

    /// Whether a webhook that failed is off still, and is somebody's to turn on.
    private func hasFailedWebhook(_ user: UserID?) async throws -> Bool {
        let found = try await database.first(
            """
            select true from \(fragment: Members.current("m", at: clock.now())) join webhooks w on w.family_id = m.family_id
            where m.user_id = \(user) and m.role = 'parent' and w.failed_at is not null limit 1
            """
        ) { try $0.next(Bool.self) }
        return found != nil
    }

    private func invite(_ mail: WaitingMail, _ letters: Letters) async throws -> Letter? {
        let found = try await database.first(
            """
            select coalesce(u.name, ''), f.name, l.role, l.expires_at, l.nonce, l.mail_token_hash
            from share_links l join families f on f.id = l.family_id left join users u on u.id = l.created_by
            where l.id = \(mail.invite) and l.invitee_email = \(mail.recipient) and l.nonce is not null
                and \(fragment: OpenInvites.areOpen("l", at: clock.now()))
            """
        ) {
            (
                inviter: try $0.next(String.self), family: try $0.next(String.self), role: try $0.next(Role.self),
                until: try $0.next(Timestamp.self), nonce: try $0.next([UInt8].self), hash: try $0.next(String?.self)
            )
        }
        guard let found else { return nil }
        let token = configuration.inviteKeys.lazy.map { InviteSecret.mailed(nonce: found.nonce, key: $0).token }
            .first { InviteSecret.hash(ofToken: $0) == found.hash }
        guard let token else { return nil }
        return letters.invite(
            by: found.inviter, to: found.family, as: found.role, until: found.until,
            url: "\(configuration.baseURL)/join/\(token)")
    }
}
