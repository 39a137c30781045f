import BabyBasicsAPI
import Foundation
import GRDB

extension AccountStore {
    /// The latest entry of each name that the child's family has used since then, the latest first.
    static func lately(_ kind: String, beside child: ChildID, since: Timestamp, limit: Int, _ db: Database) throws
        -> [StoredEntry]
    {
        guard let family = try ChildRow.row(child).fetchOne(db)?.familyID else { return [] }
        typealias Columns = EntryRow.Columns
        let children = ChildRow.of(family).select(ChildRow.Columns.id)
        let entries = try EntryRow.filter(children.contains(Columns.childID))
            .filter(Columns.kind == kind && Columns.at >= Milliseconds(since) && Columns.isDeleted == false)
            .newestFirst().limit(1000).fetchShown(db)
        var seen: Set<String> = []
        return Array(
            entries.filter { entry in
                entry.fields["name"]?.text.map { seen.insert($0.lowercased()).inserted } ?? false
            }.prefix(limit))
    }
}

extension Home {
    private nonisolated static let lately = Duration.seconds(90 * 86_400)
    private nonisolated static let most = 6

    /// Medicines or activities to choose from; none for kinds that have no names.
    func offers(_ kind: String, beside child: ChildID) async -> [LogEntry.Offer] {
        guard kind == "medication" || kind == "activity" else { return [] }
        let since = now.adding(.zero - Self.lately)
        let entries =
            (try? await store.database.read { db in
                try AccountStore.lately(kind, beside: child, since: since, limit: Self.most, db)
            }) ?? []
        return LogEntry.offers(entries, kind, texts)
    }
}

extension LogEntry {
    /// What this family does, and where that is little yet, what others do.
    static func offers(_ entries: [StoredEntry], _ kind: String, _ texts: Texts) -> [Offer] {
        var offers = entries.compactMap { entry in
            entry.fields["name"]?.text.map { Offer(id: $0, dose: entry.fields["dose"]?.text) }
        }
        guard kind == "activity" else { return offers }
        let used = Set(offers.map { $0.id.lowercased() })
        offers += texts.commonActivities.filter { !used.contains($0.lowercased()) }.map { Offer(id: $0, dose: nil) }
        return Array(offers.prefix(6))
    }
}
