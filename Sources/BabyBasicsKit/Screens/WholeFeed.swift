import BabyBasicsAPI

/// A feed as people see it: bottles within half an hour of a breast feed's end are one with it.
struct WholeFeed: Hashable, Sendable {
    /// What comes so soon after a feed's end belongs to it.
    static let oneFeed = Duration.seconds(30 * 60)

    /// What the wait is counted from.
    var first: StoredEntry
    /// Oldest first; none where the feed stands alone.
    var bottles: [StoredEntry] = []

    /// - Parameter lately: feeds, newest first; the feed is one of them.
    init(_ feed: StoredEntry, lately: [StoredEntry]) {
        first = feed
        guard feed.type == "bottle", let place = lately.firstIndex(where: { $0.id == feed.id }) else { return }
        let before = lately.dropFirst(place + 1).filter { $0.type != "solid" }
        guard let breast = before.firstIndex(where: { $0.type == "breast" }),
            feed.at.since(before[breast].endedAt ?? before[breast].at) <= Self.oneFeed
        else { return }
        first = before[breast]
        bottles = [feed] + before[..<breast]
        bottles.reverse()
    }
}
