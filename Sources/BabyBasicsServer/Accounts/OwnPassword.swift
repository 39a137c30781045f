import BabyBasicsAPI
import Cryptography
import Postgres

/// An account whose password the caller has proven.
struct CheckedAccount {
    let email: String
    let passwordHash: String
    /// Of signing in to it from here.
    let attempt: LoginAttempt
}

extension RequestContext {
    /// Has the caller prove the account's password once more, then changes something in a transaction.
    ///
    /// The check takes too long for a transaction to wait for it. So `change` is given what was checked and must make sure, under its
    /// locks, that it is still so; where it is not, it answers nil and all is done again.
    /// - Throws: `APIError` 403 for a wrong password, 401 where the session ended meanwhile, 429 after too many checks.
    func withOwnPassword<Value>(
        _ password: String, of caller: Caller, _ change: (CheckedAccount) async throws -> Value?
    ) async throws -> Value {
        try await countPasswordCheck(of: caller.userID)
        for _ in 0..<3 {
            let account = try await ownAccount(caller)
            try await check(password, of: account, caller)
            if let value = try await change(account) { return value }
        }
        throw APIError.unavailable(retryAfter: 1)
    }

    private func ownAccount(_ caller: Caller) async throws -> CheckedAccount {
        let stored = try await database.first(
            """
            select u.email, u.password_hash from users u join sessions s on s.user_id = u.id
            where s.id = \(caller.sessionID) and u.deleted_at is null
            """
        ) { (email: try $0.next(String.self), passwordHash: try $0.next(String.self)) }
        guard let stored else { throw APIError.invalidToken }
        return CheckedAccount(
            email: stored.email, passwordHash: stored.passwordHash,
            attempt: attempt(email: stored.email))
    }

    /// An attempt to sign in like any other, but that a wrong one counts wherever it comes from.
    private func check(
        _ password: String, of account: CheckedAccount, _ caller: Caller
    ) async throws {
        let counted = try await admit(account.attempt)
        let matches: Bool
        do {
            matches = try await verify(
                password, against: account.passwordHash, for: .user(caller.userID.bits)
            ).matches
        } catch {
            if counted { try await forgive(account.attempt) }
            throw error
        }
        guard matches else {
            if !counted { try await countFailure(account.attempt) }
            throw APIError(.forbidden, "Wrong password")
        }
        if counted { try await forgive(account.attempt) }
    }

    /// Hashes a password, which takes as long as a hundred statements: outside any transaction.
    func hash(_ password: String, for caller: PasswordCaller = .newDevice) async throws -> String {
        try await services.passwords.hash(normalizedPassword(password), for: caller)
    }

    /// Checks a password, as slowly. Hashes from before passwords were normalized are of what was sent.
    func verify(
        _ password: String, against stored: String?, for caller: PasswordCaller
    ) async throws -> PasswordHasher.Verdict {
        try await services.passwords.verify(
            normalizedPassword(password), orAsSent: password, against: stored, for: caller)
    }

    /// Ends sessions of a user, in the transaction at hand, and records each.
    /// - Parameters:
    ///   - kept: the one that goes on.
    ///   - actor: nil for the administrator.
    func endSessions(
        of user: UserID, except kept: Identifier<SignedIn.Session>?, by actor: UserID?
    ) async throws {
        let ended = try await database.rows(
            """
            delete from sessions where user_id = \(user) and id is distinct from \(kept) returning id
            """
        ) { try $0.next(Identifier<SignedIn.Session>.self) }
        database.noteEndedSessions(of: user)
        for session in ended {
            try await audit(.delete, .session, session.uuid, by: actor)
        }
    }
}
