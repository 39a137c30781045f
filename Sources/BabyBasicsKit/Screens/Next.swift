public import BabyBasicsAPI
import Foundation

// When the next feed and the next sleep may come, from the child's own last seven days at about this time of day: the
// middle of what was and how far it reached, never advice. The web app has the same rules: both are held to the cases of
// Tests/Fixtures/next.

/// When the next feed may begin. Nil where nothing can be said, and when its time has come.
public struct NextFeed: Hashable, Sendable {
    /// The usual time between the starts of two feeds.
    public let gap: Duration
    /// When the next may begin.
    public let at: Timestamp
    /// It may come from then on.
    public let from: Timestamp
    /// It may come until then.
    public let to: Timestamp

    /// - Parameter entries: of at least eight days, in any order.
    public init?(_ entries: [StoredEntry], now: Timestamp) {
        let starts = Self.joined(entries).map(\.start).filter { $0 <= now }
        let week = now.adding(.zero - Usual.week)
        let gaps = zip(starts, starts.dropFirst()).map { Gap(since: $0, length: $1.since($0)) }
            .filter { week <= $0.since.adding($0.length) && $0.length < Usual.day }
        guard let last = starts.last, let usual = Usual(gaps, since: last, now: now) else { return nil }
        (gap, at, from, to) = (usual.gap, usual.at, usual.from, usual.to)
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
    /// It may be from then on.
    public let from: Timestamp
    /// It may be until then.
    public let to: Timestamp

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
        var gaps: [Gap] = []
        var reached: Timestamp?
        for sleep in sleeps {
            guard let end = sleep.endedAt else { return nil }
            if let reached {
                let gap = Gap(since: reached, length: sleep.at.since(reached))
                if Self.oneSleep <= gap.length, gap.length < Self.hole, sleep.at >= week { gaps.append(gap) }
            }
            reached = reached.map { max($0, end) } ?? end
        }
        guard let reached, reached <= now, let usual = Usual(gaps, since: reached, now: now) else { return nil }
        since = reached
        (gap, at, from, to) = (usual.gap, usual.at, usual.from, usual.to)
    }
}

/// From a feed's start to the next, or from a waking to the next sleep.
private struct Gap {
    var since: Timestamp
    var length: Duration
}

/// What is usual after such a moment: the median, and all but the shortest and the longest twentieth.
private struct Usual {
    static let day = Duration.seconds(86_400)
    static let week = day * 7
    /// What is usual by day is not so by night.
    private static let around = Duration.seconds(3 * 3600)
    /// Of fewer nobody can say what is usual.
    private static let least = 8

    let gap: Duration
    let at: Timestamp
    let from: Timestamp
    let to: Timestamp

    /// Nil where the gaps are too few, or the middle half of them is wider than half the median: then they mean nothing.
    /// Nil, too, when its time has come.
    init?(_ gaps: [Gap], since: Timestamp, now: Timestamp) {
        let sorted = gaps.filter { Self.apart($0.since, since) <= Self.around }.map(\.length).sorted()
        guard sorted.count >= Self.least else { return nil }
        gap = Self.quantile(sorted, 0.5)
        at = since.adding(gap)
        from = since.adding(Self.quantile(sorted, 0.05))
        to = since.adding(Self.quantile(sorted, 0.95))
        guard Self.quantile(sorted, 0.75) - Self.quantile(sorted, 0.25) <= gap / 2, at > now else { return nil }
    }

    /// How far apart two moments are as times of day.
    private static func apart(_ one: Timestamp, _ other: Timestamp) -> Duration {
        let day: Int64 = 86_400_000
        let rest = abs(one.milliseconds - other.milliseconds) % day
        return .milliseconds(min(rest, day - rest))
    }

    private static func quantile(_ sorted: [Duration], _ part: Double) -> Duration {
        let place = Double(sorted.count - 1) * part
        let (low, high) = (sorted[Int(place.rounded(.down))], sorted[Int(place.rounded(.up))])
        return low + (high - low) * (place - place.rounded(.down))
    }
}

extension Today {
    /// `Next feed about 16:10 (15:40 to 17:00)`, `Awake for 1 h 20 min, sleepy about 15:30`: nothing while the person has switched it off.
    public var next: [String] {
        guard home.showsNext else { return [] }
        let (now, texts) = (home.now, home.texts)
        let feed = present?.ongoingFeeding == nil ? NextFeed(lastDays, now: now) : nil
        let sleep = NextSleep(lastDays, now: now)
        return [
            feed.map { texts.nextFeed(texts.about($0.at, from: $0.from, to: $0.to)) },
            sleep.map {
                texts.nextSleep(awake: now.since($0.since), texts.about($0.at, from: $0.from, to: $0.to))
            },
        ].compactMap { $0 }
    }
}
