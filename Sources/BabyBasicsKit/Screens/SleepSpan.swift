import BabyBasicsAPI

/// A stretch of sleep.
struct SleepSpan: Hashable, Sendable {
    var start: Timestamp
    var end: Timestamp

    init(start: Timestamp, end: Timestamp) {
        self.start = start
        self.end = end
    }

    /// Nil for what is no sleep, and for one whose end was forgotten.
    init?(sleep entry: StoredEntry, now: Timestamp) {
        guard entry.kind == "sleep" else { return nil }
        if entry.endedAt == nil, now.since(entry.at) >= DaySummary.longestRunningSleep {
            return nil
        }
        // A phone's clock may have put the start ahead.
        self.init(start: entry.at, end: entry.endedAt ?? max(entry.at, now))
    }

    /// Nil where it has no part. One without length lies where its moment is.
    func clipped(to from: Timestamp, _ to: Timestamp) -> SleepSpan? {
        if start == end { return from <= start && start < to ? self : nil }
        let span = SleepSpan(start: max(start, from), end: min(end, to))
        return span.start < span.end ? span : nil
    }

    static func union(_ spans: [SleepSpan], within from: Timestamp, _ to: Timestamp) -> Duration {
        var total = Duration.zero
        var reached = from
        for span in spans.compactMap({ $0.clipped(to: from, to) }).sorted(by: {
            $0.start < $1.start
        }) where span.end > reached {
            total += span.end.since(max(span.start, reached))
            reached = span.end
        }
        return total
    }
}

extension StoredEntry {
    /// The minutes of the sides where they are given, else the length of a feed that has ended.
    var timeAtTheBreast: Duration {
        let sides = ["left_minutes", "right_minutes"].compactMap { fields[$0]?.number?.double }
        if !sides.isEmpty { return .seconds(60 * sides.reduce(0, +)) }
        return endedAt.map { $0.since(at) } ?? .zero
    }
}

extension Duration {
    var wholeMinutes: Int { Int(components.seconds / 60) }
}

extension Tenths {
    mutating func add(_ other: Tenths?) {
        self = Tenths(tenths: tenths + (other?.tenths ?? 0))
    }
}
