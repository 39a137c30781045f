import BabyBasicsAPI
import Cryptography
import Postgres

/// Signs an account in. An unknown email costs the same work and gets the same answer as a wrong password.
func logIn(_ context: RequestContext) throws -> Reply<SignedIn> {
    let fields = try context.fields()
    try context.takesCookie(fields)
    let (email, password) = try fields.all(
        fields.required("email", .anything), fields.required("password", .anything))
    let attempt = context.attempt(email: email)
    // In a flood nearly everybody is turned away: that must cost next to nothing.
    try context.services.passwords.turnAwayIfFull { try context.isKnownHere(attempt) }
    let counted = try context.admit(attempt)
    // Once more where the stored hash has changed between its check and the session: renewed by another login, or a new password.
    for _ in 0..<3 {
        let known = try context.account(email: email)
        // Whoever signed in here before is not kept out by a flood of strangers.
        let verdict = try context.check(
            password, against: known?.passwordHash, isKnownHere: !counted
        ) {
            if counted { try context.forgive(attempt) }
        }
        guard verdict.matches, let known else {
            throw APIError(.unauthorized, "Invalid email or password")
        }
        let renewed = verdict.needsRenewal ? try context.hash(password) : nil
        let signedIn: SignedIn? = try context.database.transaction {
            guard try context.hold(known.account.id, known.passwordHash, renewing: renewed) else {
                return nil
            }
            if counted { try context.forgive(attempt) }
            try context.remember(attempt)
            let (session, id) = try context.startSession(of: known.account.id)
            try context.audit(.create, .session, id.uuid, by: known.account.id)
            return SignedIn(session: session, user: known.account)
        }
        if let signedIn { return Reply(signedIn) }
    }
    throw APIError.unavailable(retryAfter: 1)
}

extension RequestContext {
    fileprivate func account(email: String) throws -> (
        account: SignedIn.Account, passwordHash: String
    )? {
        // No account's email holds a NUL, which the database could not even compare, nor is any empty.
        let comparable = email.utf8.contains(0) ? "" : email.lowercased()
        return try database.first(
            """
            select id, email, name, timezone, day_start_time, password_hash from users
            where email = \(comparable)
            """
        ) {
            (
                SignedIn.Account(
                    id: try $0.next(), email: try $0.next(), name: try $0.next(),
                    timezone: try $0.next(), dayStartTime: try $0.next()),
                try $0.next(String.self)
            )
        }
    }

    /// Checks a password; where it could not be checked at all, does `otherwise` before it throws.
    fileprivate func check(
        _ password: String, against stored: String?, isKnownHere: Bool,
        otherwise: () throws -> Void
    ) throws -> PasswordHasher.Verdict {
        do {
            return try verify(password, against: stored, isPreferred: isKnownHere)
        } catch {
            try otherwise()
            throw error
        }
    }

    /// Keeps the password from being changed until the transaction ends, if it still is the one that was checked: a session must not
    /// come from a password after the change that ends all sessions.
    fileprivate func hold(_ user: UserID, _ passwordHash: String, renewing renewed: String?) throws
        -> Bool
    {
        if let renewed {
            return try database.execute(
                """
                update users set password_hash = \(renewed)
                where id = \(user) and password_hash = \(passwordHash)
                """) == 1
        }
        return try database.execute(
            "select from users where id = \(user) and password_hash = \(passwordHash) for share")
            == 1
    }
}
