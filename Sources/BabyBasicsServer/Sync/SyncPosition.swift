import BabyBasicsAPI

/// How far a client has followed a family's changes: the number that it gives as `since`.
///
/// It is a revision with a mark above it: the database's generation, and added to it the day on which the client began with nothing, as long as
/// it is below what was purged. Such a client must not start again, as one must that was away for too long.
struct SyncPosition: Equatable {
    let revision: Int64
    /// Nil for a client that begins.
    private let mark: Int64?

    /// Both stay below 2^53, which every JSON reader keeps exactly.
    private static let revisionBits: Int64 = 32
    private static let marks: Int64 = 1 << 21
    /// Purging takes nothing that was deleted less than 30 days ago, so that it cannot take anything that a client saw in this time.
    private static let daysToArrive: Int64 = 28

    /// - Parameter since: as the client sent it, not negative.
    init(since: Int64) {
        revision = since & (1 << Self.revisionBits - 1)
        mark = since == 0 ? nil : since >> Self.revisionBits
    }

    private init(revision: Int64, mark: Int64) {
        self.revision = revision
        self.mark = mark
    }

    /// Whether what follows this position tells the client everything.
    func isComplete(in feed: FeedState, today: CalendarDate) -> Bool {
        // Beyond the last: no number that this family gave.
        guard revision <= feed.last else { return false }
        let day = dayBegun(in: feed, today: today)
        // A mark of another generation is neither.
        return day == 0 ? revision >= feed.purged : (0...Self.daysToArrive).contains(Int64(today.daysSince1970) - day)
    }

    /// Where the same client is once it has come to a revision.
    func advanced(to revision: Int64, in feed: FeedState, today: CalendarDate) -> SyncPosition {
        let day = revision < feed.purged ? dayBegun(in: feed, today: today) : 0
        return SyncPosition(revision: revision, mark: (feed.generation + day) % Self.marks)
    }

    /// Counted from 1970; 0 for a client that may be below nothing that was purged.
    private func dayBegun(in feed: FeedState, today: CalendarDate) -> Int64 {
        guard let mark else { return Int64(today.daysSince1970) }
        return mark >= feed.generation ? mark - feed.generation : mark - feed.generation + Self.marks
    }

    /// The number on the wire.
    var since: Int64 { (mark ?? 0) << Self.revisionBits | revision }
}
