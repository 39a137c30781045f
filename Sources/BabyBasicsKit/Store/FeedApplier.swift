import BabyBasicsAPI
import Foundation
import GRDB

/// Writes the server's changes into the store, below the pending ones.
struct FeedApplier {
    let db: Database
    let userID: UserID
    let now: Timestamp
    var outbox: Outbox { Outbox(db: db) }

    func apply(_ change: FeedChange, family: FamilyID) throws {
        switch change.content {
        case .family(let family): try apply(family)
        case .member(let member): try apply(member, family: family)
        case .child(let child): try apply(child)
        case .event(let event): try apply(event, family: family)
        case .deletion:
            switch change.entity {
            case .family: try removeFamily(family)
            case .familyMember:
                try MemberRow.row(UserID(change.id), in: family)
                    .filter(MemberRow.Columns.revision <= change.revision).deleteAll(db)
            case .child: try removeChild(ChildID(change.id), revision: change.revision)
            default:
                // What is of another kind may have the same id.
                guard try EntryRow.find(change.id, db)?.kind == change.entity.rawValue else { return }
                try remove(change.id, revision: change.revision)
            }
        case .unknown: break
        }
    }

    // MARK: Entries

    /// The server's version of an entry, from the feed or as the answer to a change.
    func apply(_ event: ServerEvent, family: FamilyID) throws {
        let stored = try EntryRow.find(event.id, db)
        if let stored {
            if stored.serverFields != nil, stored.revision > event.revision { return }
            // Ids are unique within a family's events, and within its plans: others change nothing here.
            guard stored.familyID == family, stored.kind == event.kind else { return }
        }
        var entry = EntryRow(
            id: event.id, kind: event.kind, familyID: family, fields: event.fields, serverFields: event.fields,
            author: event.author, createdAt: event.createdAt, updatedAt: event.updatedAt,
            serverUpdatedAt: event.updatedAt, revision: event.revision)
        entry.editorID = event.editor?.userId
        for change in try outbox.of(entry: event.id) { try put(change, on: &entry, event) }
        try entry.upsert(db)
        if !entry.isDeleted { _ = try DeletedRow.deleteOne(db, key: event.id.text) }
    }

    private func put(_ change: PendingChange, on entry: inout EntryRow, _ event: ServerEvent) throws {
        switch change.operation {
        case .create:
            try outbox.remove(change)
        case .restore:
            // After a deletion that may still arrive, it is still needed.
            if !entry.isDeleted { try outbox.remove(change) }
            entry.isDeleted = false
        case .delete:
            entry.isDeleted = true
        case .edit:
            let rebase = Rebase(change, onto: entry.fields, changedAt: event.updatedAt, by: event.editor)
            for conflict in rebase.conflicts { try db.tell(.conflict(conflict), now: now) }
            if rebase.changes.isEmpty {
                try outbox.remove(change)
            } else {
                var rebased = change
                rebased.changes = rebase.changes
                rebased.base = rebase.base
                try outbox.update(rebased)
                entry.fields = rebase.fields
                entry.editorID = userID
                entry.updatedAt = max(change.madeAt, event.updatedAt)
            }
        }
    }

    /// Makes an entry of the server's version and the pending edits.
    func reapply(_ id: UUID) throws {
        guard var entry = try EntryRow.find(id, db), let server = entry.serverFields else { return }
        let waiting = try outbox.of(entry: id)
        entry.fields = waiting.filter { $0.operation == .edit }
            .reduce(server) { $0.applying($1.changes, kind: EventKind.named(entry.kind)) }
        entry.updatedAt = waiting.map(\.madeAt).max() ?? entry.serverUpdatedAt?.wrappedValue ?? entry.updatedAt
        try entry.update(db)
    }

    /// Removes an entry that was deleted for everyone.
    /// - Parameters:
    ///   - revision: of the deletion; nil where the answer to a change told of it.
    ///   - isKept: whether it can be brought back for a while.
    func remove(_ id: UUID, revision: Int64?, isKept: Bool = true) throws {
        guard let stored = try EntryRow.find(id, db) else { return }
        if let revision, stored.revision > revision { return }
        let waiting = try outbox.of(entry: id)
        if revision != nil, waiting.contains(where: { $0.operation == .restore }) { return }
        if waiting.contains(where: { $0.operation == .edit || $0.operation == .restore }) {
            try db.tell(.entryGone(kind: stored.kind, at: stored.at), now: now)
        }
        try outbox.removeAll(of: id)
        if isKept { try stored.putAside(db, at: now) }
        try stored.delete(db)
    }

    // MARK: The rest of the family

    func apply(_ family: ServerFamily) throws {
        var row =
            try FamilyRow.row(family.id).fetchOne(db)
            ?? FamilyRow(
                id: family.id, name: family.name, policy: family.policy, role: family.role ?? .viewer, revision: 0,
                createdAt: family.createdAt, updatedAt: family.updatedAt)
        guard row.revision <= family.revision else { return }
        row.name = family.name
        row.policy = family.policy
        row.ownerID = family.ownerID
        row.role = family.role ?? row.role
        row.revision = family.revision
        row.updatedAt = family.updatedAt
        try row.upsert(db)
    }

    func apply(_ member: ServerMember, family: FamilyID) throws {
        let known = try MemberRow.row(member.id, in: family).fetchOne(db)
        guard known.map({ $0.revision <= member.revision }) ?? true else { return }
        try MemberRow(
            familyID: family, userID: member.id, name: member.name, email: member.email, role: member.role,
            isOwner: member.isOwner, accessUntil: member.accessUntil.map { Milliseconds($0) },
            joinedAt: member.joinedAt, revision: member.revision
        ).upsert(db)
        typealias Columns = EntryRow.Columns
        try EntryRow.filter(Columns.familyID == family.description && Columns.authorID == member.id.description)
            .filter(Columns.authorName != member.name)
            .updateAll(db, Columns.authorName.set(to: member.name))
        if member.id == userID {
            try FamilyRow.row(family).updateAll(db, FamilyRow.Columns.role.set(to: member.role.rawValue))
        }
    }

    func apply(_ child: ServerChild) throws {
        let known = try ChildRow.row(child.id).fetchOne(db)
        guard known.map({ $0.revision <= child.revision }) ?? true else { return }
        try ChildRow(
            id: child.id, familyID: child.familyID, name: child.name, dateOfBirth: child.dateOfBirth,
            createdAt: child.createdAt, revision: child.revision
        ).upsert(db)
    }

    /// Removes a deleted child with its entries and their pending changes.
    /// - Parameter revision: of the deletion; nil where the answer to a change told of it.
    func removeChild(_ id: ChildID, revision: Int64?) throws {
        guard let child = try ChildRow.row(id).fetchOne(db) else { return }
        if let revision, child.revision > revision { return }
        // Where the server has an entry counts: somebody may have moved it away, or this device alone has moved it here.
        let waiting = try OutboxRow.filter(OutboxRow.Columns.familyID == child.familyID.description).fetchAll(db)
            .filter { try EntryRow.find($0.entryID, db)?.serverChildID ?? id.description == id.description }
        for var entry in try EntryRow.filter(EntryRow.Columns.childID == id.description).fetchAll(db) {
            guard let server = entry.serverFields, entry.serverChildID != id.description else { continue }
            entry.fields = server
            try entry.update(db)
        }
        let refused = RejectedRow.filter(RejectedRow.childID == id.description)
        let (count, unsent) = try dropWaiting(waiting, rejected: try refused.fetchAll(db))
        try refused.deleteAll(db)
        if count > 0 { try db.tell(.childGone(name: child.name ?? "", waiting: count, unsent: unsent), now: now) }
        try child.delete(db)
    }

    /// Removes a family that this account has left, with its pending changes.
    func removeFamily(_ id: FamilyID, isKnownToPerson: Bool = false) throws {
        guard let family = try FamilyRow.row(id).fetchOne(db) else { return }
        let rejected = try RejectedRow.filter(RejectedRow.familyID == id.description).fetchAll(db)
        let waiting = try OutboxRow.filter(OutboxRow.Columns.familyID == id.description).fetchAll(db)
        let (count, unsent) = try dropWaiting(waiting, rejected: rejected)
        if !isKnownToPerson || unsent != nil {
            try db.tell(.familyGone(name: family.name, waiting: count, unsent: unsent), now: now)
        }
        try family.delete(db)
    }

    /// - Returns: how many entries it was, and what can be saved of them.
    private func dropWaiting(
        _ waiting: [OutboxRow], rejected: [RejectedRow]
    ) throws -> (count: Int, unsent: [UnsentEntries]?) {
        let unsent = try UnsentEntries.of(waiting, rejected, db)
        try OutboxRow.filter(keys: waiting.compactMap(\.sequence)).deleteAll(db)
        return (Set(waiting.map(\.entryID) + rejected.map(\.entryID)).count, unsent)
    }
}
