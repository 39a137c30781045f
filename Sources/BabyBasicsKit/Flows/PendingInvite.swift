public import BabyBasicsAPI
import Foundation

/// An invite that waits for its person to sign in, or for the network. It is kept for 30 days.
public struct PendingInvite: Sendable {
    private let preferences: any Preferences
    private let now: @Sendable () -> Timestamp

    /// As long as a token is kept.
    static let lifetime = Duration.seconds(30 * 86_400)

    /// The pending invite of this device.
    public init(preferences: any Preferences, now: @escaping @Sendable () -> Timestamp) {
        self.preferences = preferences
        self.now = now
    }

    private struct Kept: Codable {
        var token: String
        var receivedAt: Timestamp
    }

    /// The token; nil if there is none, or none that is young enough.
    public var token: String? {
        guard let kept else { return nil }
        guard now().since(kept.receivedAt) <= Self.lifetime else {
            clear()
            return nil
        }
        return kept.token
    }

    private var kept: Kept? {
        preferences.string(PreferenceKey.pendingInvite).flatMap { try? StoredJSON.value(Kept.self, $0) }
    }

    /// Keeps a token, in place of the last one.
    public func keep(_ token: String) {
        let kept = Kept(token: token, receivedAt: now())
        preferences.set(try? StoredJSON.text(kept), for: PreferenceKey.pendingInvite)
    }

    private struct Aside: Codable {
        var invite: Kept
        var person: UserID
    }

    /// Sets the token aside: it may be for an email that its person has not confirmed yet.
    func setAside(for person: UserID) {
        guard let invite = kept else { return }
        preferences.set(try? StoredJSON.text(Aside(invite: invite, person: person)), for: PreferenceKey.inviteAside)
        clear()
    }

    func isAside(for person: UserID) -> Bool { aside(for: person) != nil }

    /// Takes up what was set aside, unless there is another by now.
    func recall(for person: UserID) {
        guard let aside = aside(for: person) else { return }
        preferences.set(nil, for: PreferenceKey.inviteAside)
        guard token == nil else { return }
        preferences.set(try? StoredJSON.text(aside.invite), for: PreferenceKey.pendingInvite)
    }

    private func aside(for person: UserID) -> Aside? {
        let aside = preferences.string(PreferenceKey.inviteAside).flatMap { try? StoredJSON.value(Aside.self, $0) }
        return aside?.person == person ? aside : nil
    }

    /// Forgets it.
    public func clear() {
        preferences.set(nil, for: PreferenceKey.pendingInvite)
    }
}
