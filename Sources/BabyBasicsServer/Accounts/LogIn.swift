import BabyBasicsAPI
import Cryptography
import Postgres

/// Signs an account in. An unknown email and a disabled account cost the same work and get the same answer as a wrong password.
func logIn(_ context: RequestContext) async throws -> Reply<SignedIn> {
    let fields = try context.fields()
    let (email, password, carrier) = try fields.all(
        fields.required("email", .knownEmail), fields.required("password", .anything),
        context.sessionCarrier(fields))
    let attempt = context.attempt(email: email)
    // In a flood nearly everybody is turned away: that must cost next to nothing.
    try await context.services.passwords.rejectIfFull {
        try await context.isKnownHere(attempt)
    }
    let counted = try await context.admit(attempt)
    // Once more where the stored hash has changed between its check and the session: renewed by another login, or a new password.
    for _ in 0..<3 {
        let known = try await context.account(email: email)
        // Whoever signed in here before is not kept out by a flood of strangers.
        let verdict = try await context.check(
            password, against: known?.passwordHash, isKnownHere: !counted
        ) {
            if counted { try await context.forgive(attempt) }
        }
        guard verdict.matches, let known else {
            throw APIError(.unauthorized, "Invalid email or password")
        }
        let renewed =
            verdict.needsRenewal
            ? try await context.hash(password, for: counted ? .newDevice : .knownDevice) : nil
        let signedIn: SignedIn? = try await context.database.transaction {
            guard try await context.hold(known.account.id, known.passwordHash, renewing: renewed)
            else {
                return nil
            }
            if counted { try await context.forgive(attempt) }
            try await context.remember(attempt)
            let (session, id) = try await context.startSession(of: known.account.id)
            try await context.audit(.create, .session, id.uuid, by: known.account.id)
            return SignedIn(session: session, user: known.account)
        }
        if let signedIn { return Reply(context.answer(signedIn, in: carrier)) }
    }
    throw APIError.unavailable(retryAfter: 1)
}

extension RequestContext {
    fileprivate func account(email: String) async throws -> (
        account: SignedIn.Account, passwordHash: String
    )? {
        // No account's email holds a NUL, which the database could not even compare, nor is any empty.
        let comparable = email.utf8.contains(0) ? "" : email
        return try await database.first(
            """
            select id, email, name, timezone, day_start_time, password_hash from users
            where email = \(comparable) and disabled_at is null
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
        otherwise: () async throws -> Void
    ) async throws -> PasswordHasher.Verdict {
        do {
            return try await verify(
                password, against: stored, for: isKnownHere ? .knownDevice : .newDevice)
        } catch {
            try await otherwise()
            throw error
        }
    }

    /// Keeps the account as it is until the transaction ends, if its password still is the one that was checked and nobody has disabled
    /// it: a session must not begin after the change that ends all sessions.
    fileprivate func hold(_ user: UserID, _ passwordHash: String, renewing renewed: String?)
        async throws
        -> Bool
    {
        if let renewed {
            return try await database.execute(
                """
                update users set password_hash = \(renewed)
                where id = \(user) and password_hash = \(passwordHash) and disabled_at is null
                """) == 1
        }
        return try await database.execute(
            """
            select from users
            where id = \(user) and password_hash = \(passwordHash) and disabled_at is null for share
            """) == 1
    }
}
