public import BabyBasicsAPI

/// From which feed, and from which of its ends, the wait for the next is counted: this device's settings.
public struct FeedClock: Hashable, Sendable {
    /// Whether solids count like milk. They are no answer to hunger at night.
    public var solidsCount = false
    /// Whether the wait begins at a feed's end, where that is known, rather than at its start.
    public var fromEnd = false

    /// From the start of the last milk.
    public init() {}

    init(_ preferences: any Preferences) {
        solidsCount = preferences.string(PreferenceKey.solidsCount) == Self.yes
        fromEnd = preferences.string(PreferenceKey.feedsFromEnd) == Self.yes
    }

    func keep(in preferences: any Preferences) {
        preferences.set(solidsCount ? Self.yes : nil, for: PreferenceKey.solidsCount)
        preferences.set(fromEnd ? Self.yes : nil, for: PreferenceKey.feedsFromEnd)
    }

    private static let yes = "yes"

    /// The feed that counts. A child that has had nothing but solids for days is counted by them.
    /// - Parameters:
    ///   - lately: newest first.
    ///   - last: of any type.
    public func feed(_ lately: [StoredEntry], last: StoredEntry?) -> StoredEntry? {
        lately.first { solidsCount || $0.type != "solid" } ?? last
    }

    /// When the wait begins.
    public func start(after feed: StoredEntry) -> Timestamp {
        fromEnd ? feed.endedAt ?? feed.at : feed.at
    }
}
