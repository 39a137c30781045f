import BabyBasicsAPI
import Postgres

/// Has a link mailed by which a new password can be chosen. Whether the email has an account is not looked up here, so that neither the
/// answer nor its time can tell.
func forgotPassword(_ context: RequestContext) async throws -> Reply<Accepted> {
    let fields = try context.fields()
    let email = try fields.all(fields.required("email", .email))
    try context.requireMail()
    try await context.wish(for: email)
    return Reply(Accepted())
}

extension RequestContext {
    fileprivate func wish(for email: String) async throws {
        let id: Identifier<MailKind> = try newIdentifier()
        try await database.execute(
            """
            insert into mails (id, kind, recipient, created_at, due_at)
            values (\(id), 'forgotten', \(email), \(now), \(fragment: sharedClock))
            """)
        database.noteMail()
    }
}
