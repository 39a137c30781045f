import BabyBasicsAPI
import Cryptography
import Postgres

/// Gives the account another password and ends its other sessions: whoever had the old one is out.
func changePassword(_ context: RequestContext, caller: Caller) async throws -> Reply<Empty> {
    let fields = try context.fields()
    let (current, new) = try fields.all(
        fields.required("current_password", .anything), fields.required("new_password", .password))
    let user = caller.userID
    return try await context.withOwnPassword(current, of: caller) { account in
        let passwordHash = try await context.hash(new, for: .user(user.bits))
        let database = context.database
        return try await database.transaction {
            // Of two changes at once, each from a session of its own, the first ends the other's session: it must not go on.
            let changed = try await database.execute(
                """
                update users set password_hash = \(passwordHash), updated_at = \(context.now)
                where id = \(user) and password_hash = \(account.passwordHash) and email = \(account.email)
                    and exists (select from sessions where id = \(caller.sessionID))
                """)
            guard changed == 1 else { return nil }
            try await context.endSessions(of: user, except: caller.sessionID, by: user)
            // Places where the old password was used are nothing that this one should be guessed from.
            try await context.forgetPlaces(account.attempt, exceptHere: true)
            try await context.remember(account.attempt)
            try await context.audit(.update, .user, user.uuid, by: user, changes: .passwordChanged)
            try await context.endMailedLinks(of: user, .reset)
            try await context.mail(.passwordChanged, to: account.email, of: user)
            return .nothing
        }
    }
}
