import Postgres

/// What one snapshot tells of a family's feed.
struct FeedState: Equatable {
    /// Which run of numbers they are of: another one after every restore.
    let generation: Int64
    /// The last number that was given to anything.
    let last: Int64
    /// The highest number of what was purged.
    let purged: Int64
}

extension FeedState {
    /// Of a feed `f`.
    static let columns = "(select generation from installation), f.last_revision, f.purged_revision"
    static let columnCount = 3

    init(_ row: inout Row) throws {
        (generation, last, purged) = (try row.next(), try row.next(), try row.next())
    }
}
