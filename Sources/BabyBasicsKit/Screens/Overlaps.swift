import BabyBasicsAPI

/// Sleeps that overlap, as the server warns of them: a child sleeps once at a time.
enum Overlaps {
    struct Pair: Hashable, Sendable {
        /// The one that was touched later.
        var one: StoredEntry
        var other: StoredEntry
    }

    /// Those of the sleeps of a child that overlap one, the earliest first. Ends that touch don't; what has not ended
    /// goes on.
    static func of(_ one: StoredEntry, among sleeps: [StoredEntry]) -> [StoredEntry] {
        sleeps.filter { other in
            other.id != one.id && isBefore(other.at, one.endedAt) && isBefore(one.at, other.endedAt)
        }.sorted { $0.at < $1.at }
    }

    /// The overlaps that a person made since a moment, the latest first: the later touched of the two is theirs.
    static func made(by person: UserID, since: Timestamp, among sleeps: [StoredEntry]) -> [Pair] {
        sleeps.filter { ($0.editorID ?? $0.author.userId) == person && $0.updatedAt >= since }
            .flatMap { one in of(one, among: sleeps).map { Pair(one: one, other: $0) } }
            .filter { ($0.one.updatedAt, $0.one.id.text) > ($0.other.updatedAt, $0.other.id.text) }
            .sorted { ($1.one.updatedAt, $0.other.at) < ($0.one.updatedAt, $1.other.at) }
    }

    private static func isBefore(_ moment: Timestamp, _ end: Timestamp?) -> Bool { end.map { moment < $0 } ?? true }
}
