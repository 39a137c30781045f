import BabyBasicsAPI
import Postgres

/// The administrator's way in for somebody who forgot the password. Sessions stay valid unless they are to end.
func resetPassword(_ context: RequestContext) async throws -> Reply<Done> {
    if context.showsMailedLink { return try await resetPasswordByLink(context) }
    let fields = try context.fields()
    let (email, password, revokes) = try fields.all(
        fields.required("email", .email), fields.required("new_password", .password),
        fields.optional("revoke_sessions", .flag))
    let user = try await context.database.first("select id from users where email = \(email)") {
        try $0.next(UserID.self)
    }
    guard let user else { throw userNotFound }
    let attempt = context.attempt(email: email)
    let passwordHash = try await context.hash(password)
    return try await context.database.transaction {
        let changed = try await context.database.execute(
            """
            update users set password_hash = \(passwordHash), updated_at = \(context.now)
            where id = \(user) and email = \(email)
            """)
        guard changed == 1 else { throw userNotFound }
        // Whoever had to ask for it must get in with it.
        try await context.forgetFailures(attempt)
        try await context.audit(.update, .user, user.uuid, by: nil, changes: .passwordChanged)
        try await context.endMailedLinks(of: user, .reset)
        try await context.mail(.passwordChanged, to: email, of: user)
        if revokes == true { try await context.endSessions(of: user, except: nil, by: nil) }
        return Reply(Done())
    }
}

private let userNotFound = APIError(.notFound, "User not found")
