public import BabyBasicsAPI
import FoundationEssentials
public import Postgres

/// Accounts as whoever runs the server sees them, and what only they may do to one. Nothing here reads or shows a secret, but the link
/// that is asked for.
public struct AccountAdministration {
    let connection: Connection
    let now: Timestamp

    /// - Parameter connection: of the owner's or the server's role; in no transaction.
    public init(connection: Connection, now: Timestamp) {
        self.connection = connection
        self.now = now
    }

    public struct Account: Equatable, Sendable {
        public let email: String
        public let name: String
        public let madeAt: Timestamp
        public let emailIsConfirmed: Bool
        public let isDisabled: Bool
        /// To the minute; nil where nobody is signed in.
        public let lastUsedAt: Timestamp?
        public let sessions: Int
        public let families: Int
    }

    /// Why something was not done.
    public enum Refusal: Error, Equatable, CustomStringConvertible {
        case unknown
        case disabled

        public var description: String {
            switch self {
            case .unknown: "no account has this email"
            case .disabled: "the account is disabled: enable it first"
            }
        }
    }

    /// Shows every account, by email. A page is in memory at a time, however many there are.
    public func list(page: Int = 500, _ show: (Account) throws -> Void) async throws {
        var last = ""
        while true {
            let accounts = try await connection.rows(
                """
                select u.email, u.name, u.created_at, u.email_verified_at is not null, u.disabled_at is not null, s.last, s.count,
                    (select count(*) from \(fragment: Members.current("m", at: now)) where m.user_id = u.id)
                from users u cross join lateral (
                    select max(last_used_at) as last, count(*) as count from sessions
                    where user_id = u.id and expires_at > \(now)
                ) s
                where u.email > \(last) order by u.email limit \(Int64(page))
                """
            ) { try Account(&$0) }
            for account in accounts { try show(account) }
            guard accounts.count == page else { return }
            last = accounts[page - 1].email
        }
    }

    /// Signs an account out everywhere, ends its programs' tokens, and lets nobody in: a sign-in is answered as with a wrong password. What it logged stays.
    /// - Returns: false where it was disabled already.
    /// - Throws: `Refusal.unknown`.
    public func disable(_ email: String) async throws -> Bool {
        let user = try await connection.transaction {
            let user = try await change(email, "disabled_at = \(now)", where: "disabled_at is null", noting: .disabled)
            guard let user else { return UserID?.none }
            try connection.enqueue(
                """
                with gone as (delete from sessions where user_id = \(user) returning id)
                insert into audit_logs (entity_type, entity_id, action, created_at)
                select 'session', id, 'delete', \(now) from gone
                """)
            try connection.enqueue("delete from mailed_links where user_id = \(user)")
            try connection.enqueue(ProgramTokens.end(of: user, at: now))
            return user
        }
        guard let user else { return false }
        // Who waits for changes is to notice now.
        try await connection.execute(News.notification(of: [.user(user)]))
        return true
    }

    /// Lets an account in again, with the password that it had.
    /// - Returns: false where it was not disabled.
    /// - Throws: `Refusal.unknown`.
    public func enable(_ email: String) async throws -> Bool {
        try await connection.transaction {
            try await change(email, "disabled_at = null", where: "disabled_at is not null", noting: .enabled) != nil
        }
    }

    /// Makes a link to choose a new password by, like the one that is mailed: for 60 minutes, once, in the place of any older one.
    /// - Parameter baseURL: the server's.
    /// - Throws: `Refusal`.
    public func resetLink(_ email: String, baseURL: String) async throws -> String {
        let token = try MailedToken()
        let email = stored(email)
        try await connection.transaction {
            let account = try await connection.first(
                "select id, disabled_at is not null from users where email = \(email) for no key update"
            ) { (id: try $0.next(UserID.self), isDisabled: try $0.next(Bool.self)) }
            guard let account else { throw Refusal.unknown }
            guard !account.isDisabled else { throw Refusal.disabled }
            try connection.enqueue(
                MailedLinkPurpose.reset.link(token, of: UUID(), for: account.id, at: email, now: now))
            try connection.enqueue(audit(account.id, .resetLinkMade))
        }
        return "\(baseURL)/\(MailedLinkPurpose.reset.rawValue)/\(token.text)"
    }

    /// - Returns: whose account was changed; nil where it was so already.
    private func change(
        _ email: String, _ assignment: SQL, where condition: SQL, noting changes: AuditChanges
    ) async throws -> UserID? {
        let email = stored(email)
        let changed = try await connection.first(
            """
            update users set \(fragment: assignment), updated_at = \(now)
            where email = \(email) and \(fragment: condition) returning id
            """
        ) { try $0.next(UserID.self) }
        if let changed {
            try connection.enqueue(audit(changed, changes))
            return changed
        }
        let isKnown = try await connection.execute("select from users where email = \(email)") == 1
        guard isKnown else { throw Refusal.unknown }
        return nil
    }

    /// As accounts hold it. What nobody's email holds, the database could not even compare.
    private func stored(_ email: String) -> String {
        email.utf8.contains(0) ? "" : EmailAddress.lookup(email)
    }

    /// Nobody who has an account did it.
    private func audit(_ user: UserID, _ changes: AuditChanges) -> SQL {
        """
        insert into audit_logs (entity_type, entity_id, action, changes, created_at)
        values ('user', \(user), 'update', \(changes.json), \(now))
        """
    }
}

extension AccountAdministration.Account {
    fileprivate init(_ row: inout Row) throws {
        email = try row.next()
        name = try row.next()
        madeAt = try row.next()
        emailIsConfirmed = try row.next()
        isDisabled = try row.next()
        lastUsedAt = try row.next()
        sessions = Int(try row.next(Int64.self))
        families = Int(try row.next(Int64.self))
    }
}
