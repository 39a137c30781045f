public import BabyBasicsAPI
import Foundation

// When the next feed and the next sleep may come, from the child's own last seven days: the middle of what was, never
// advice. The web app has the same rules: both are held to the cases of Tests/Fixtures/next.

/// When the next feed may begin. Nil where nothing can be said, and when its time has come.
public struct NextFeed: Hashable, Sendable {
    /// The usual time between the starts of two feeds.
    public let gap: Duration
    /// When the next may begin.
    public let at: Timestamp

    /// - Parameter entries: of at least eight days, in any order.
    public init?(_ entries: [StoredEntry], now: Timestamp) {
        let feeds = Self.joined(entries)
        let week = now.adding(.zero - Usual.week)
        let gaps = zip(feeds, feeds.dropFirst()).map { ($1.start, $1.start.since($0.start)) }
            .filter { week <= $0 && $0 <= now && $1 < .seconds(86_400) }.map(\.1)
        guard let gap = Usual.time(gaps), let last = feeds.last(where: { $0.start <= now }),
            last.start.adding(gap) > now
        else { return nil }
        (self.gap, at) = (gap, last.start.adding(gap))
    }

    /// Feeds without solids, oldest first; what comes so soon after one's end belongs to it.
    private static func joined(_ entries: [StoredEntry]) -> [(start: Timestamp, end: Timestamp)] {
        let feeds = entries.filter { $0.kind == "feeding" && $0.type != "solid" }.sorted { $0.at < $1.at }
        var joined: [(start: Timestamp, end: Timestamp)] = []
        for feed in feeds {
            let end = feed.endedAt ?? feed.at
            if let last = joined.last, feed.at.since(last.end) <= WholeFeed.oneFeed {
                joined[joined.count - 1].end = max(last.end, end)
            } else {
                joined.append((feed.at, end))
            }
        }
        return joined
    }
}

/// When a child that is awake may be sleepy. Nil while it sleeps, where nothing can be said, and when its time has come.
public struct NextSleep: Hashable, Sendable {
    /// Since when it is awake.
    public let since: Timestamp
    /// For how long it usually is.
    public let gap: Duration
    /// When it may be sleepy.
    public let at: Timestamp

    /// A shorter waking is none.
    private static let oneSleep = Duration.seconds(10 * 60)
    /// Nobody is awake for so long: the log has a hole.
    private static let hole = Duration.seconds(12 * 3600)

    /// - Parameter entries: of at least eight days, in any order.
    public init?(_ entries: [StoredEntry], now: Timestamp) {
        let sleeps = entries.filter { $0.kind == "sleep" }
            .filter { $0.endedAt != nil || now.since($0.at) < DaySummary.longestRunningSleep }
            .sorted { $0.at < $1.at }
        let week = now.adding(.zero - Usual.week)
        var gaps: [Duration] = []
        var reached: Timestamp?
        for sleep in sleeps {
            guard let end = sleep.endedAt else { return nil }
            let gap = reached.map { sleep.at.since($0) } ?? .zero
            if Self.oneSleep <= gap, gap < Self.hole, sleep.at >= week { gaps.append(gap) }
            reached = reached.map { max($0, end) } ?? end
        }
        guard let gap = Usual.time(gaps), let reached, reached <= now, reached.adding(gap) > now else { return nil }
        (since, self.gap, at) = (reached, gap, reached.adding(gap))
    }
}

enum Usual {
    static let week = Duration.seconds(7 * 86_400)
    /// Of fewer nobody can say what is usual.
    private static let least = 8

    /// The median, where the middle half of the times is no wider than half of it; nil where they are too few or too far
    /// apart to mean something.
    static func time(_ gaps: [Duration]) -> Duration? {
        guard gaps.count >= least else { return nil }
        let sorted = gaps.sorted()
        let median = quantile(sorted, 0.5)
        return quantile(sorted, 0.75) - quantile(sorted, 0.25) <= median / 2 ? median : nil
    }

    private static func quantile(_ sorted: [Duration], _ part: Double) -> Duration {
        let place = Double(sorted.count - 1) * part
        let (low, high) = (sorted[Int(place.rounded(.down))], sorted[Int(place.rounded(.up))])
        return low + (high - low) * (place - place.rounded(.down))
    }
}

extension Today {
    /// `Next feed about 16:10`, `Awake for 1 h 20 min, sleepy about 15:30`: nothing while the person has switched it off.
    public var next: [String] {
        guard home.showsNext else { return [] }
        let (now, zone) = (home.now, home.borders.timeZone)
        let feed = present?.ongoingFeeding == nil ? NextFeed(lastDays, now: now) : nil
        let sleep = NextSleep(lastDays, now: now)
        return [
            feed.map { Texts.nextFeed(about: $0.at, zone: zone) },
            sleep.map { Texts.nextSleep(awake: now.since($0.since), about: $0.at, zone: zone) },
        ].compactMap { $0 }
    }
}
