import BabyBasicsAPI
import Cryptography
import Postgres

/// Signs an account in. An unknown email costs the same work and gets the same answer as a wrong password.
func logIn(_ context: RequestContext) throws -> Reply<SignedIn> {
    let fields = try context.fields()
    let (email, password) = try fields.all(
        fields.required("email", .anything), fields.required("password", .anything))
    let known = try context.account(email: email)
    let verdict = try context.verify(password, against: known?.passwordHash)
    guard verdict.matches, let known else {
        throw APIError(.unauthorized, "Invalid email or password")
    }
    let renewed = verdict.needsRenewal ? try context.hash(password) : nil
    return try context.database.transaction {
        if let renewed {
            // Only in place of the hash that was checked: the password may have been changed meanwhile.
            try context.database.execute(
                """
                update users set password_hash = \(renewed)
                where id = \(known.account.id) and password_hash = \(known.passwordHash)
                """)
        }
        let (session, id) = try context.startSession(of: known.account.id)
        try context.audit(.create, .session, id.uuid, by: known.account.id)
        return Reply(SignedIn(session: session, user: known.account))
    }
}

extension RequestContext {
    fileprivate func account(email: String) throws -> (
        account: SignedIn.Account, passwordHash: String
    )? {
        // No account's email holds a NUL, which the database could not even compare.
        guard !email.utf8.contains(0) else { return nil }
        return try database.first(
            """
            select id, email, name, timezone, day_start_time, password_hash from users
            where email = \(email.lowercased())
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
}
