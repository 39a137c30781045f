import BabyBasicsAPI
import Foundation
import GRDB

/// Puts what the server tells into the store, under what waits to be sent.
struct Incoming {
    let db: Database
    let userID: UserID
    let now: Timestamp
    var outbox: Outbox { Outbox(db: db) }

    // MARK: Entries

    /// The server's version of an entry, from the feed or as the answer to a change.
    func apply(_ event: ServerEvent, family: String) throws {
        let stored = try StoredEntry.find(event.id, db)
        if let stored, stored.serverFields != nil, stored.revision > event.revision { return }
        var entry = StoredEntry(
            id: event.id, kind: event.kind, familyID: family, fields: event.fields,
            serverFields: event.fields,
            author: Author(userId: event.authorID, name: event.authorName),
            createdAt: event.createdAt,
            updatedAt: event.updatedAt, serverUpdatedAt: event.updatedAt,
            revision: event.revision, isDeleted: false)
        for var change in try outbox.of(entry: event.id) {
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
                let rebase = Rebase(change, onto: entry.fields, changedAt: event.updatedAt)
                for conflict in rebase.conflicts { try db.tell(.conflict(conflict), now: now) }
                if rebase.changes.isEmpty {
                    try outbox.remove(change)
                } else {
                    change.changes = rebase.changes
                    change.base = rebase.base
                    try outbox.update(change)
                    entry.fields = rebase.fields
                    entry.updatedAt = max(change.madeAt, event.updatedAt)
                }
            }
        }
        try entry.save(db)
    }

    /// The entry as the server had it last, with what still waits.
    func reapply(_ id: UUID) throws {
        guard var entry = try StoredEntry.find(id, db), let server = entry.serverFields else {
            return
        }
        let waiting = try outbox.of(entry: id)
        entry.fields = waiting.filter { $0.operation == .edit }
            .reduce(server) { $0.applying($1.changes, kind: EventKind.named(entry.kind)) }
        entry.updatedAt = waiting.map(\.madeAt).max() ?? entry.serverUpdatedAt ?? entry.updatedAt
        try entry.save(db)
    }

    /// The entry is gone for everyone.
    /// - Parameter revision: of the deletion; nil where the answer to a change told of it.
    func remove(_ id: UUID, revision: Int64?) throws {
        guard let stored = try StoredEntry.find(id, db) else { return }
        if let revision, stored.revision > revision { return }
        let waiting = try outbox.of(entry: id)
        if revision != nil, waiting.contains(where: { $0.operation == .restore }) { return }
        if waiting.contains(where: { $0.operation == .edit || $0.operation == .restore }) {
            try db.tell(
                .entryGone(
                    kind: stored.kind,
                    at: Entry.time(of: stored.kind, stored.fields) ?? stored.createdAt),
                now: now)
        }
        try outbox.removeAll(of: id)
        try stored.remove(db)
    }

    // MARK: The rest of the family

    func apply(_ family: FeedChange.FeedFamily) throws {
        try db.execute(
            sql: """
                update family set name = ?, sharing_policy = ?, owner_id = ?, revision = ?,
                    updated_at = ?
                where id = ? and revision <= ?
                """,
            arguments: [
                family.name, family.policy.rawValue, family.owner?.description,
                family.revision, family.updatedAt.milliseconds, family.id.description,
                family.revision,
            ])
    }

    func apply(_ member: FeedChange.FeedMember, family: String) throws {
        try db.execute(
            sql: """
                insert into member (family_id, user_id, name, email, role, is_owner, joined_at,
                    revision, access_until)
                values (?, ?, ?, ?, ?, ?, ?, ?, ?)
                on conflict (family_id, user_id) do update set name = excluded.name,
                    email = excluded.email, role = excluded.role,
                    is_owner = excluded.is_owner, joined_at = excluded.joined_at,
                    revision = excluded.revision, access_until = excluded.access_until
                where member.revision <= excluded.revision
                """,
            arguments: [
                family, member.id.description, member.name, member.email, member.role,
                member.isOwner, member.joinedAt.milliseconds, member.revision,
                member.accessUntil?.milliseconds,
            ])
        try db.execute(
            sql: """
                update entry set author_name = ?
                where family_id = ? and author_id = ? and author_name <> ?
                """,
            arguments: [member.name, family, member.id.description, member.name])
        if member.id == userID {
            try db.execute(
                sql: "update family set role = ? where id = ?",
                arguments: [member.role, family])
        }
    }

    func apply(_ child: FeedChange.FeedChild) throws {
        try db.execute(
            sql: """
                insert into child (id, family_id, name, date_of_birth, created_at, revision)
                values (?, ?, ?, ?, ?, ?)
                on conflict (id) do update set name = excluded.name,
                    date_of_birth = excluded.date_of_birth, created_at = excluded.created_at,
                    revision = excluded.revision
                where child.revision <= excluded.revision
                """,
            arguments: [
                child.id.description, child.family.description, child.name,
                child.dateOfBirth.description, child.createdAt.milliseconds, child.revision,
            ])
    }

    /// The child is gone for everyone, with what was logged for it and what was waiting for it.
    /// - Parameter revision: of the deletion; nil where the answer to a change told of it.
    func removeChild(_ id: String, revision: Int64?) throws {
        guard
            let row = try Row.fetchOne(
                db, sql: "select name, revision from child where id = ?", arguments: [id])
        else { return }
        if let revision, row["revision"] > revision { return }
        let waiting = try dropWaiting("child_id = ?", id)
        if waiting > 0 {
            try db.tell(.childGone(name: row["name"] ?? "", waiting: waiting), now: now)
        }
        try db.execute(sql: "delete from child where id = ?", arguments: [id])
    }

    /// This account is in the family no more: it goes, with what was waiting for it.
    func removeFamily(_ id: String) throws {
        guard
            let name = try String.fetchOne(
                db, sql: "select name from family where id = ?", arguments: [id])
        else { return }
        let waiting = try dropWaiting("family_id = ?", id)
        try db.tell(.familyGone(name: name, waiting: waiting), now: now)
        try db.execute(sql: "delete from family where id = ?", arguments: [id])
    }

    private func dropWaiting(_ condition: String, _ id: String) throws -> Int {
        let waiting =
            try Int.fetchOne(
                db, sql: "select count(distinct entry_id) from outbox where \(condition)",
                arguments: [id]) ?? 0
        try db.execute(sql: "delete from outbox where \(condition)", arguments: [id])
        return waiting
    }

    // MARK: The feed

    func apply(_ change: FeedChange, family: String) throws {
        switch change {
        case .family(let family): try apply(family)
        case .member(let member): try apply(member, family: family)
        case .child(let child): try apply(child)
        case .event(let event): try apply(event, family: family)
        case .deletion(let entity, let id, let revision):
            switch Change.Entity(rawValue: entity) {
            case .family: try removeFamily(id.text)
            case .familyMember:
                try db.execute(
                    sql: "delete from member where family_id = ? and user_id = ? and revision <= ?",
                    arguments: [family, id.text, revision])
            case .child: try removeChild(id.text, revision: revision)
            default: try remove(id, revision: revision)
            }
        }
    }
}
