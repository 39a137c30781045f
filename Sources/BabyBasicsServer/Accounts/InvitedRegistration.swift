import BabyBasicsAPI
import Postgres

/// What the invite that somebody registers with is worth.
struct RegistrationInvite {
    /// Open, and bound to nobody else's email.
    let isGood: Bool
    /// Shown by its mailed link, which proves the email that it is bound to.
    let provesEmail: Bool
}

extension RequestContext {
    /// - Parameter token: in either form; nil where none was sent.
    func registrationInvite(_ token: String?, for email: String) async throws -> RegistrationInvite {
        let none = RegistrationInvite(isGood: false, provesEmail: false)
        guard let hash = token.flatMap(InviteSecret.hash(ofEitherForm:)) else { return none }
        let found = try await database.first(
            """
            select l.invitee_email, l.mail_token_hash is not distinct from \(hash)
            from share_links l
            where (l.token_hash = \(hash) or l.mail_token_hash = \(hash)) and \(fragment: OpenInvites.areOpen("l", at: now))
            """
        ) { (bound: try $0.next(String?.self), isMailed: try $0.next(Bool.self)) }
        guard let found, found.bound == nil || found.bound == email else { return none }
        return RegistrationInvite(isGood: true, provesEmail: found.isMailed && found.bound == email)
    }

    /// - Throws: `APIError` 403 where the server takes invited people alone, and this is neither one nor the first of all.
    func requireInvite(_ invite: RegistrationInvite) async throws {
        guard services.configuration.registration == .invite, !invite.isGood else { return }
        // Of two who come first, the second waits here, and finds the first.
        if database.isInTransaction { try database.enqueue("select from public.installation for update") }
        guard try await takesAnybody() else {
            throw APIError(.forbidden, "This server takes new people by invitation")
        }
    }

    /// Whether an account can be made without an invite: the first of a server always.
    func takesAnybody() async throws -> Bool {
        guard services.configuration.registration == .invite else { return true }
        return try await database.first("select not exists (select from users where deleted_at is null)") {
            try $0.next(Bool.self)
        } == true
    }
}
