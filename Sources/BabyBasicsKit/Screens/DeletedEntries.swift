public import BabyBasicsAPI
public import Foundation
import GRDB
public import Observation

/// What was deleted in the last 30 days, by whomever in the family, as this device knew it: so long it can come back.
@MainActor @Observable public final class DeletedEntries {
    /// Something that can come back.
    public struct Deleted: Hashable, Sendable, Identifiable {
        /// As it was.
        public let entry: StoredEntry
        /// When it was deleted, as far as this device knows.
        public let deletedAt: Timestamp
        /// `Bottle 120 ml`.
        public let title: String
        /// `deleted 3 h ago`.
        public let ago: String
        /// The entry's id.
        public var id: UUID { entry.id }
    }

    /// The latest deletion first.
    public private(set) var deleted: [Deleted] = []
    /// The message about the last action.
    public private(set) var message: Message?
    private let home: Home
    private let child: StoredChild
    private var watching: Watching?

    /// What was deleted of a child.
    public init(_ home: Home, child: StoredChild) {
        self.home = home
        self.child = child
        let family = child.familyID
        let (id, since) = (child.id, home.now.adding(.zero - DeletedRow.keptFor))
        watching = home.store.watch { db in
            // Only parents bring plans back.
            let isParent = try FamilyRow.row(family).fetchOne(db)?.role == .parent
            return try DeletedRow.of(id, since: since).fetchAll(db).filter { isParent || $0.kind != PlanKind.name }
        } deliver: { [weak self] rows in
            self?.show(rows)
        }
    }

    private func show(_ rows: [DeletedRow]) {
        deleted = rows.compactMap { row in
            let entry = StoredEntry(row)
            guard entry.isUnderstood else { return nil }
            return Deleted(
                entry: entry, deletedAt: row.deletedAt, title: home.texts.title(entry),
                ago: home.texts.deletedAgo(home.now.since(row.deletedAt)))
        }
    }

    /// Brings one back, for everyone.
    public func bringBack(_ deleted: Deleted) async {
        message = nil
        do {
            try await home.store.undoDelete(deleted.entry)
            message = home.texts.isBack(deleted.title)
        } catch let refusal as StoreRefusal {
            message = home.texts.refusal(refusal, child: child.name, ago: "")
        } catch {
            message = home.texts.failure(error)
        }
    }
}
