public import BabyBasicsAPI
import BabyBasicsClient
import Foundation
public import Observation

/// The screen that invites: choose a role, get a link, share it; list and revoke open invites.
@MainActor @Observable public final class InviteFlow {
    /// Where the screen is.
    public enum Step: Hashable, Sendable {
        /// The person chooses a role.
        case choosing
        /// The link is there.
        case created(Created)
    }

    /// A role to choose, with what it means.
    public struct Option: Hashable, Sendable, Identifiable {
        /// The role.
        public let id: MemberRole
        /// Its name.
        public let name: String
        /// Its meaning.
        public let meaning: String
    }

    /// An invite as it is shown once.
    public struct Created: Hashable, Sendable {
        /// The link.
        public let link: String
        /// The link for the app alone, where the family's policy has one.
        public let deepLink: String?
        /// The role's name.
        public let role: String
        /// The only email that may accept; nil for any.
        public let email: String?
        /// When the link ends.
        public let expiresAt: Timestamp
        /// The text for Share.
        public let shareText: String
        /// Whether a mail with a link is on its way: the button says "Send it again" then.
        public let isMailed: Bool
    }

    /// An open invite.
    public struct Open: Decodable, Hashable, Sendable, Identifiable {
        /// The invite's id.
        public let id: InviteID
        /// The role that it gives.
        public let role: MemberRole
        /// Its label.
        public let label: String?
        /// The only email that may accept; nil for any.
        public let email: String?
        /// When the membership will end by itself; nil for never.
        public let accessUntil: Timestamp?
        /// When the link ends.
        public let expiresAt: Timestamp

        enum CodingKeys: String, CodingKey {
            case id, role, label
            case email = "invitee_email"
            case accessUntil = "access_until"
            case expiresAt = "expires_at"
        }
    }

    /// Where the screen is.
    public private(set) var step = Step.choosing
    /// The roles to choose from.
    public let options: [Option]
    /// The role that is chosen.
    public var role: MemberRole
    /// A label that tells invites apart.
    public var label = ""
    /// The only email that may accept; empty for any.
    public var email = ""
    /// When the membership ends by itself; nil for never.
    public var accessUntil: Timestamp?
    /// The open invites.
    public private(set) var open: [Open] = []
    /// Whether the server sends mail: with an email, the invite can be sent there. `loadOpen` finds out.
    public private(set) var sendsMail = false
    /// The message; nil for none.
    public private(set) var message: Message?
    /// Whether a request is under way: buttons wait.
    public private(set) var isWorking = false
    private let home: Home
    private let family: StoredFamily
    /// What the link that is shown was made with.
    private var terms: NewInvite?

    /// Inviting to a family.
    public init(_ home: Home, family: StoredFamily) {
        self.home = home
        self.family = family
        let permissions = FamilyPermissions(
            family: family, members: [], userID: home.store.userID)
        options = permissions.invitableRoles.map {
            Option(id: $0, name: home.texts.roleName($0), meaning: home.texts.roleMeaning($0))
        }
        role = options.last { $0.id == .caregiver }?.id ?? .parent
    }

    /// Makes the link.
    public func create() async {
        guard let role = Role(rawValue: role.rawValue) else { return }
        let email = email.trimmingCharacters(in: .whitespacesAndNewlines)
        let terms = NewInvite(
            role: role, inviteeEmail: email.isEmpty ? nil : email, label: label.isEmpty ? nil : label,
            accessUntil: role == .parent ? nil : accessUntil)
        await act { [self] in try await make(terms) }
    }

    /// Whether the link that is shown can be sent by mail: beside Share and Copy.
    public var canMail: Bool { sendsMail && terms?.inviteeEmail != nil }

    /// Has a link mailed to the email that the invite is for. The server answers the same invite once more.
    public func mail() async {
        guard canMail, var terms, let email = terms.inviteeEmail else { return }
        terms.send = true
        await act { [self] in
            do {
                try await make(terms)
                message = home.texts.mailOnItsWay(to: email)
            } catch let failure as APIFailure where failure.status == 429 {
                message = home.texts.mailedEnough(again: failure.retryAfter)
            }
        }
    }

    private func make(_ terms: NewInvite) async throws {
        let invite = try await home.client.send(Endpoints.createInvite, path: family.id, body: terms).body.invite
        self.terms = terms
        step = .created(
            Created(
                link: invite.joinUrl, deepLink: invite.deepLink,
                role: home.texts.roleName(MemberRole(rawValue: invite.role.rawValue)), email: invite.inviteeEmail,
                expiresAt: invite.expiresAt, shareText: home.texts.share(family.name, link: invite.joinUrl),
                isMailed: terms.send == true))
        try await readOpen()
    }

    /// Back to choosing, for the next one.
    public func another() {
        step = .choosing
        terms = nil
        label = ""
        email = ""
        message = nil
    }

    /// Reads the open invites, and whether the server sends mail. Call it when the screen appears.
    public func loadOpen() async {
        await act { [self] in
            try await readOpen()
            sendsMail = try await home.client.serverFacts().sendsMail
        }
    }

    /// Ends an open invite.
    public func revoke(_ invite: Open) async {
        await act { [self] in
            do {
                try await home.client.send(
                    Endpoints.revokeInvite, path: family.id, invite.id)
            } catch let failure as APIFailure where failure.status == 404 {
                // Accepted or revoked meanwhile: the list tells.
            }
            try await readOpen()
        }
    }

    private func readOpen() async throws {
        struct Answer: Decodable, Sendable { var invites: [Open] }
        open = try await home.client.ask(Endpoints.listInvites.description, family.id, as: Answer.self).invites
    }

    private func act(_ request: () async throws -> Void) async {
        guard !isWorking else { return }
        isWorking = true
        defer { isWorking = false }
        message = nil
        do {
            try await request()
        } catch {
            message = home.texts.failure(error, helper: .inFamily(family, userID: home.store.userID))
        }
    }
}
