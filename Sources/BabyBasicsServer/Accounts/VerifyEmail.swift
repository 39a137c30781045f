import BabyBasicsAPI
import Postgres

/// Whoever shows the mailed link has the address. They need not be signed in where they read their mail.
func verifyEmail(_ context: RequestContext) async throws -> Reply<Empty> {
    let fields = try context.fields()
    let token = try fields.all(fields.required("token", .anything))
    try context.requireMail()
    return try await context.database.transaction {
        let link = try await context.takeMailedLink(token, .verify)
        try await context.verify(link.user, has: link.email)
        return .nothing
    }
}

/// Mails the caller another link.
func sendVerification(_ context: RequestContext, caller: Caller) async throws -> Reply<Accepted> {
    try context.requireMail()
    let user = caller.userID
    let database = context.database
    return try await database.transaction {
        let account = try await context.user(user, locked: true)
        guard !account.emailVerified else {
            throw APIError(.conflict, "Your email address is confirmed already")
        }
        // By the account too: its address may have changed since the last.
        let counted = MailRate.counted(.verify, user.description, at: context.sharedClock)
        let isCounted = try await database.change(counted) { try $0.next(Int32.self) }.first != nil
        guard isCounted, try await context.mailVerification(to: account.email, of: user) else {
            let key = isCounted ? account.email : user.description
            throw try await context.mailedEnough(.verify, key)
        }
        return Reply(Accepted())
    }
}

extension RequestContext {
    /// That a mailbox, or who asks, has had as many mails as may be.
    func mailedEnough(_ kind: MailKind, _ recipient: String) async throws -> APIError {
        let wait = try await database.first(MailRate.wait(kind, recipient, at: sharedClock)) { try $0.next(Int64.self) }
        return tooManyRequests(.mail, retryAfter: max(1, Int(wait ?? 1)))
    }
}
