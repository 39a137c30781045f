import BabyBasicsAPI
import Postgres

/// Gives the account another email to sign in with. Members of its families see it, so it is a change of the member in each.
///
/// Invites stay bound to the emails that they name: those to the old one no longer fit, those to the new one do.
func changeEmail(_ context: RequestContext, caller: Caller) async throws -> Reply<UserAnswer> {
    let fields = try context.fields()
    let (password, email, revokes) = try fields.all(
        fields.required("current_password", .anything), fields.required("new_email", .email),
        fields.optional("revoke_sessions", .flag))
    let user = caller.userID
    return try await context.withOwnPassword(password, of: caller) { account in
        let attempt = context.attempt(email: email)
        let database = context.database
        return try await database.transaction {
            if email != account.email {
                // Families before the user, as everywhere.
                try await database.lockFamilies(of: user)
                guard try await context.take(email, for: caller, account) else { return nil }
                try await database.renumberMemberships(of: user, at: context.now)
                // What is known of signing in goes by the email.
                try await context.forgetFailures(account.attempt)
                try await context.forgetPlaces(account.attempt, exceptHere: false)
                try await context.remember(attempt)
                try await context.audit(.update, .user, user.uuid, by: user, changes: .emailChanged)
                try await context.endMailedLinks(of: user, .reset, .verify)
                try await context.mail(.emailChanged, to: account.email, of: user)
                try await context.mailVerification(to: email, of: user)
            }
            if revokes == true { try await context.endSessions(of: user, except: caller.sessionID, by: user) }
            return Reply(UserAnswer(user: try await context.user(user)))
        }
    }
}

extension RequestContext {
    /// False where the account has changed since it was checked.
    /// - Throws: `APIError` 409 where another account has the email.
    fileprivate func take(
        _ email: String, for caller: Caller, _ account: CheckedAccount
    ) async throws -> Bool {
        do {
            return try await database.execute(
                """
                update users set email = \(email), email_verified_at = null, updated_at = \(now)
                where id = \(caller.userID) and password_hash = \(account.passwordHash)
                    and email = \(account.email) and exists (select from sessions where id = \(caller.sessionID))
                """) == 1
        } catch let error as PostgresError where error.sqlState == .uniqueViolation {
            throw APIError.emailTaken
        }
    }
}
