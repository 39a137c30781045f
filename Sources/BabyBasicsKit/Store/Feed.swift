import BabyBasicsAPI
import Foundation
import GRDB

/// Where a family's feed stands on this device.
struct FeedPosition: Sendable {
    var since: Int64
    /// Whether the family is being read anew beside the old copy.
    var isResync: Bool
    /// Whether the feed was read to its end once.
    var isComplete: Bool

    fileprivate init(_ row: FamilyRow) {
        since = row.resyncSince ?? row.since
        isResync = row.resyncSince != nil
        isComplete = row.isComplete
    }
}

extension AccountStore {
    /// Nil for a family that is not on this device.
    func position(of family: FamilyID) async throws -> FeedPosition? {
        try await database.read { try FamilyRow.row(family).fetchOne($0).map { FeedPosition($0) } }
    }

    /// Applies a page and moves on, in one transaction. A page that was asked with another `since` than the feed
    /// stands at is ignored.
    func apply(_ page: ServerAnswer.Feed, asked: FeedPosition, family: FamilyID) async throws {
        try await write { [userID] db, now in
            guard let row = try FamilyRow.row(family).fetchOne(db) else { return }
            let position = FeedPosition(row)
            guard position.since == asked.since, position.isResync == asked.isResync else { return }
            let applier = FeedApplier(db: db, userID: userID, now: now)
            if asked.isResync { return try applier.stage(page, family: family) }
            for change in page.changes { try applier.apply(change, family: family) }
            try FamilyRow.row(family).updateAll(
                db, FamilyRow.Columns.since.set(to: page.nextSince),
                FamilyRow.Columns.isComplete.set(to: row.isComplete || !page.hasMore))
        }
    }

    /// Entries that a page of the timeline shows before the feed comes to them.
    func apply(_ events: [ServerEvent], family: FamilyID) async throws {
        try await write { [userID] db, now in
            guard try FamilyRow.exists(db, key: family.description) else { return }
            let applier = FeedApplier(db: db, userID: userID, now: now)
            for event in events where EventKind.named(event.kind) != nil { try applier.apply(event, family: family) }
        }
    }

    /// The server has forgotten some changes: the family is read anew, beside the present copy.
    func beginResync(of family: FamilyID) async throws {
        try await write { db, _ in
            try StagedRow.of(family).deleteAll(db)
            try FamilyRow.row(family).updateAll(db, FamilyRow.Columns.resyncSince.set(to: 0))
        }
    }

    func removeFamily(_ family: FamilyID) async throws {
        try await write { [userID] db, now in
            try FeedApplier(db: db, userID: userID, now: now).removeFamily(family)
        }
    }

    /// The person has left or deleted the family, and needs no notice of it, unless something was not sent.
    func leaveFamily(_ family: FamilyID) async throws {
        try await write { [userID] db, now in
            try FeedApplier(db: db, userID: userID, now: now).removeFamily(family, isKnownToPerson: true)
        }
    }

    func apply(_ families: [ServerFamily]) async throws {
        try await write { [userID] db, now in
            let applier = FeedApplier(db: db, userID: userID, now: now)
            for family in families { try applier.apply(family) }
        }
    }

    /// A family that the server just answered with, before the feed tells the rest.
    func adopt(_ family: ServerFamily, role: MemberRole) async throws {
        try await write { db, _ in
            guard try !FamilyRow.exists(db, key: family.id.description) else { return }
            try FamilyRow(
                id: family.id, name: family.name, policy: family.policy, ownerID: family.ownerID, role: role,
                revision: family.revision, createdAt: family.createdAt, updatedAt: family.updatedAt
            ).insert(db)
        }
    }

    /// Inserts a family that was just joined. The feed completes it.
    func adopt(_ joined: ServerAnswer.Joined.Family, at now: Timestamp) async throws {
        try await adopt(
            ServerFamily(
                id: joined.id, name: joined.name, policy: .standard, revision: 0, createdAt: now, updatedAt: now),
            role: joined.role)
    }

    /// A child that the server just answered with.
    func adopt(_ child: ServerChild) async throws {
        try await write { [userID] db, now in
            try FeedApplier(db: db, userID: userID, now: now).apply(child)
        }
    }
}

extension FeedApplier {
    /// Keeps a page beside the old copy; after the last one, swaps.
    fileprivate func stage(_ page: ServerAnswer.Feed, family: FamilyID) throws {
        for change in page.changes {
            var row = StagedRow(familyID: family, change: change)
            try row.insert(db)
        }
        if page.hasMore {
            try FamilyRow.row(family).updateAll(db, FamilyRow.Columns.resyncSince.set(to: page.nextSince))
        } else {
            try swap(family: family, nextSince: page.nextSince)
        }
    }

    /// Replaces the old copy by the new one, below the pending changes.
    private func swap(family: FamilyID, nextSince: Int64) throws {
        let staged = try StagedRow.of(family).fetchAll(db).map(\.change)
        let entries = EntryRow.filter(EntryRow.Columns.familyID == family.description)
        // The server may have been restored from an older backup: its present revisions hold.
        try entries.updateAll(db, EntryRow.Columns.revision.set(to: 0))
        try ChildRow.of(family).updateAll(db, ChildRow.Columns.revision.set(to: 0))
        try MemberRow.of(family).updateAll(db, MemberRow.Columns.revision.set(to: 0))
        try FamilyRow.row(family).updateAll(db, FamilyRow.Columns.revision.set(to: 0))
        for change in staged { try apply(change, family: family) }
        let here = Set(staged.filter(\.isPresent).map(\.id))
        for id in try entries.filter(EntryRow.Columns.serverFields != nil)
            .select(EntryRow.Columns.id, as: UUID.self).fetchAll(db) where !here.contains(id)
        {
            // What was deleted and is to come back is not in the new copy either.
            if try outbox.of(entry: id).contains(where: { $0.operation == .restore }) { continue }
            try remove(id, revision: nil, isKept: false)
        }
        for child in try ChildRow.of(family).filter(ChildRow.Columns.name != nil).fetchAll(db)
        where !here.contains(child.id.uuid) {
            try removeChild(child.id, revision: nil)
        }
        for member in try MemberRow.of(family).fetchAll(db) where !here.contains(member.userID.uuid) {
            try member.delete(db)
        }
        try StagedRow.of(family).deleteAll(db)
        try FamilyRow.row(family).updateAll(
            db, FamilyRow.Columns.since.set(to: nextSince), FamilyRow.Columns.resyncSince.set(to: nil),
            FamilyRow.Columns.isComplete.set(to: true))
    }
}
