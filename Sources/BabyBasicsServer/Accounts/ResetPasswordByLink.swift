import BabyBasicsAPI
import Postgres

extension RequestContext {
    /// Whether the body shows the token of a mailed link, in place of an email.
    var showsMailedLink: Bool {
        guard let fields = try? fields() else { return false }
        return fields.contains("token") && !fields.contains("email")
    }
}

/// A new password for whoever shows the mailed link. Everybody who was signed in is out, and nobody is kept from signing in.
func resetPasswordByLink(_ context: RequestContext) async throws -> Reply<Done> {
    let fields = try context.fields()
    let (token, password) = try fields.all(
        fields.required("token", .anything), fields.required("new_password", .password))
    let database = context.database
    // What is no link costs no hash. Without mail there are those that an operator made.
    let known = try await database.first(
        """
        select email from mailed_links
        where token_hash = \(MailedToken.hash(token)) and purpose = 'reset' and expires_at > \(context.now)
        """
    ) { try $0.next(String.self) }
    guard let known else {
        try context.requireMail()
        throw APIError.deadLink
    }
    let attempt = context.attempt(email: known)
    let passwordHash = try await context.hash(password)
    return try await database.transaction {
        let (user, email) = try await context.takeMailedLink(token, .reset)
        let changed = try await database.execute(
            """
            update users set password_hash = \(passwordHash), updated_at = \(context.now)
            where id = \(user) and email = \(email) and disabled_at is null
            """)
        guard changed == 1 else { throw APIError.deadLink }
        try await context.endSessions(of: user, except: nil, by: user)
        try await context.forgetFailures(attempt)
        try await context.forgetPlaces(attempt, exceptHere: false)
        try await context.audit(.update, .user, user.uuid, by: user, changes: .passwordReset)
        try await context.mail(.passwordChanged, to: email, of: user)
        return Reply(Done(), status: 204)
    }
}
