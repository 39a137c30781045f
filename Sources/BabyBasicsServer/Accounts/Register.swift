import BabyBasicsAPI
import Cryptography
import Postgres

/// Makes an account and signs it in.
func register(_ context: RequestContext) async throws -> Reply<SignedIn> {
    let fields = try context.fields()
    let (name, email, password, timeZone, dayStart, language, carrier, token) = try fields.all(
        fields.required("name", .name),
        fields.required("email", .email),
        fields.required("password", .password),
        await context.timeZone(fields.optional("timezone", .timeZone), fields),
        fields.optional("day_start_time", .timeOfDay), fields.optional("language", .language),
        context.sessionCarrier(fields),
        fields.optional("invite", .anything))
    let invite = try await context.registrationInvite(token, for: email)
    try await context.requireInvite(invite)
    // A taken email is refused before the costly hash; the insert below decides between two at once.
    let taken = try await context.database.first("select 1::int4 from users where email = \(email)") {
        try $0.next(Int32.self)
    }
    guard taken == nil else { throw APIError.emailTaken }
    let attempt = context.attempt(email: email)
    let passwordHash = try await context.hash(password)
    let account = SignedIn.Account(
        id: try context.newIdentifier(), email: email, name: name,
        timezone: timeZone ?? "America/New_York", dayStartTime: dayStart ?? "07:00")
    let tag = (language ?? context.acceptedLanguage ?? .en).tag
    let signedIn = try await context.database.transaction {
        try await context.requireInvite(invite)
        let made = try await context.database.execute(
            """
            insert into users (id, email, name, password_hash, timezone, day_start_time, language, created_at, updated_at)
            values (\(account.id), \(email), \(name), \(passwordHash), \(account.timezone),
                \(account.dayStartTime), \(tag), \(context.now), \(context.now))
            on conflict (email) do nothing
            """)
        guard made == 1 else { throw APIError.emailTaken }
        try await context.remember(attempt)
        let (session, _) = try await context.startSession(of: account.id)
        try await context.audit(.create, .user, account.id.uuid, by: account.id)
        if invite.provesEmail, context.sendsMail {
            try await context.verify(account.id, has: email)
        } else {
            try await context.mailVerification(to: email, of: account.id)
        }
        return SignedIn(session: session, user: account)
    }
    return Reply(context.answer(signedIn, in: carrier))
}

extension APIError {
    static let emailTaken = APIError(.conflict, "Email already registered")
}
