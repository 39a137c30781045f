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
        /// When the link ends.
        public let expiresAt: Timestamp
        /// The text for Share.
        public let shareText: String
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
    /// The message; nil for none.
    public private(set) var message: Message?
    /// Whether a request is under way: buttons wait.
    public private(set) var isWorking = false
    private let home: Home
    private let family: StoredFamily

    /// Inviting to a family.
    public init(_ home: Home, family: StoredFamily) {
        self.home = home
        self.family = family
        let permissions = FamilyPermissions(
            family: family, members: [], userID: home.store.userID)
        options = permissions.invitableRoles.map {
            Option(id: $0, name: Texts.roleName($0), meaning: Texts.roleMeaning($0))
        }
        role = options.last { $0.id == .caregiver }?.id ?? .parent
    }

    /// Makes the link.
    public func create() async {
        guard let role = Role(rawValue: role.rawValue) else { return }
        await act { [self] in
            let invite = try await home.client.send(
                Endpoints.createInvite, path: family.id,
                body: NewInvite(
                    role: role, inviteeEmail: email.isEmpty ? nil : email,
                    label: label.isEmpty ? nil : label,
                    accessUntil: role == .parent ? nil : accessUntil)
            ).body.invite
            step = .created(
                Created(
                    link: invite.joinUrl, deepLink: invite.deepLink,
                    role: Texts.roleName(MemberRole(rawValue: invite.role.rawValue)),
                    expiresAt: invite.expiresAt,
                    shareText: Texts.share(family.name, link: invite.joinUrl)))
            try await readOpen()
        }
    }

    /// Back to choosing, for the next one.
    public func another() {
        step = .choosing
        label = ""
        email = ""
        message = nil
    }

    /// Reads the open invites.
    public func loadOpen() async {
        await act { [self] in try await readOpen() }
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
            message = Texts.failure(error, helper: .inFamily(family, userID: home.store.userID))
        }
    }
}
