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
        guard let text = preferences.string(PreferenceKey.pendingInvite),
            let kept = try? StoredJSON.value(Kept.self, text)
        else { return nil }
        guard now().since(kept.receivedAt) <= Self.lifetime else {
            clear()
            return nil
        }
        return kept.token
    }

    /// Keeps a token, in place of the last one.
    public func keep(_ token: String) {
        let kept = Kept(token: token, receivedAt: now())
        preferences.set(try? StoredJSON.text(kept), for: PreferenceKey.pendingInvite)
    }

    /// Forgets it.
    public func clear() {
        preferences.set(nil, for: PreferenceKey.pendingInvite)
    }
}
