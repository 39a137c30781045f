import BabyBasicsAPI
import Cryptography
import Postgres

extension RequestContext {
    /// Has the caller prove the account's password once more, then changes something in a transaction.
    ///
    /// The check takes too long for a transaction to wait for it. So `change` is given the hash that was checked and must make sure, under
    /// its locks, that it is still the stored one; where it is not, it answers nil and all is done again.
    /// - Throws: `APIError` 403 for a wrong password, 401 where the session ended meanwhile.
    func withOwnPassword<Value>(
        _ password: String, of caller: Caller, _ change: (_ checked: String) async throws -> Value?
    ) async throws -> Value {
        for _ in 0..<3 {
            let stored = try await database.first(
                """
                select u.password_hash from users u join sessions s on s.user_id = u.id
                where s.id = \(caller.sessionID) and u.deleted_at is null
                """
            ) { try $0.next(String.self) }
            guard let stored else { throw APIError.invalidToken }
            guard try await verify(password, against: stored, for: .user(caller.userID.bits)).matches else {
                throw APIError(.forbidden, "Wrong password")
            }
            if let value = try await change(stored) { return value }
        }
        throw APIError.unavailable(retryAfter: 1)
    }

    /// Hashes a password, which takes as long as a hundred statements: outside any transaction.
    func hash(_ password: String, for caller: PasswordCaller = .newDevice) async throws -> String {
        try await services.passwords.hash(password, for: caller)
    }

    /// Checks a password, as slowly.
    func verify(
        _ password: String, against stored: String?, for caller: PasswordCaller
    ) async throws -> PasswordHasher.Verdict {
        try await services.passwords.verify(password, against: stored, for: caller)
    }

    /// Ends sessions of a user, in the transaction at hand, and records each.
    /// - Parameter kept: the one that goes on.
    func endSessions(of user: UserID, except kept: Identifier<SignedIn.Session>?) async throws {
        let ended = try await database.rows(
            """
            delete from sessions where user_id = \(user) and id is distinct from \(kept) returning id
            """
        ) { try $0.next(Identifier<SignedIn.Session>.self) }
        for session in ended {
            try await audit(.delete, .session, session.uuid, by: user)
        }
    }
}
