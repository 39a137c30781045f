import BabyBasicsAPI

/// How far a client has followed a family's changes: the number that it gives as `since`.
///
/// It is a revision, but for one case. A client that starts from 0 passes revisions below what was purged, as does one that was away for too long.
/// The second must start again and the first must not, so on that stretch the number says on which day the client began.
struct SyncPosition: Equatable {
    let revision: Int64
    /// When the client began with nothing, if it may yet be below what was purged.
    let begun: CalendarDate?

    /// Bits of the revision. The day is above them, and both stay below 2^53, which every JSON reader keeps exactly.
    private static let revisionBits: Int64 = 36
    /// Purging takes nothing that was deleted less than 30 days ago, so that it cannot take anything that a client saw in this time.
    private static let daysToArrive = 28

    /// - Parameter since: as the client sent it, not negative.
    init(since: Int64, today: CalendarDate) {
        let day = since >> Self.revisionBits
        revision = since & (1 << Self.revisionBits - 1)
        begun =
            if since == 0 {
                today
            } else if day > 0 {
                CalendarDate(daysSince1970: Int(day))
            } else {
                nil
            }
    }

    private init(revision: Int64, begun: CalendarDate?) {
        self.revision = revision
        self.begun = begun
    }

    /// Where the same client is once it has come to a revision.
    /// - Parameter purged: the highest revision of what was purged.
    func advanced(to revision: Int64, purged: Int64) -> SyncPosition {
        SyncPosition(revision: revision, begun: revision < purged ? begun : nil)
    }

    /// Whether what follows this position tells the client everything.
    func isComplete(last: Int64, purged: Int64, today: CalendarDate) -> Bool {
        // Beyond the last: the family knows less than the client, as after a backup was restored.
        guard revision <= last else { return false }
        guard let begun else { return revision >= purged }
        return (0...Self.daysToArrive).contains(today.daysSince1970 - begun.daysSince1970)
    }

    /// The number on the wire.
    var since: Int64 {
        guard let begun else { return revision }
        return Int64(begun.daysSince1970) << Self.revisionBits | revision
    }
}
