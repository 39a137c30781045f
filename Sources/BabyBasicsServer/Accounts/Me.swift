import BabyBasicsAPI
import Postgres

/// The caller's own account.
func getMe(_ context: RequestContext, caller: Caller) async throws -> Reply<UserAnswer> {
    Reply(UserAnswer(user: try await context.user(caller.userID)))
}

extension RequestContext {
    /// - Throws: `APIError` 401 where the account is gone.
    func user(_ id: UserID, locked: Bool = false) async throws -> User {
        let lock: SQL = locked ? "for no key update" : ""
        let user = try await database.first(
            """
            select id, email, email_verified_at is not null, name, timezone, day_start_time, quiet_from, quiet_to,
                show_details, language, created_at, updated_at
            from users where id = \(id) and deleted_at is null \(fragment: lock)
            """
        ) {
            User(
                id: try $0.next(), email: try $0.next(), emailVerified: try $0.next(), name: try $0.next(),
                timezone: try $0.next(), dayStartTime: try $0.next(), quiet: try QuietHours(&$0),
                showDetails: try $0.next(), language: try $0.next(), createdAt: try $0.next(),
                updatedAt: try $0.next())
        }
        guard let user else { throw APIError.invalidToken }
        return user
    }
}

extension QuietHours {
    /// Nil of a user who has none.
    fileprivate init?(_ row: inout Row) throws {
        let (from, to) = (try row.next(String?.self), try row.next(String?.self))
        guard let from, let to else { return nil }
        self.init(from: from, to: to)
    }
}
