import BabyBasicsAPI
import Foundation
import GRDB

/// Where a family's feed stands on this device.
struct FeedPosition: Sendable {
    var since: Int64
    /// Whether the family is being read anew beside the old copy.
    var isResync: Bool
}

extension Store {
    /// Nil for a family that is not on this device.
    func position(of family: FamilyID) async throws -> FeedPosition? {
        try await database.read { db in
            try Row.fetchOne(
                db, sql: "select since, resync_since from family where id = ?",
                arguments: [family.description]
            ).map { row in
                let resync = row["resync_since"] as Int64?
                return FeedPosition(since: resync ?? row["since"], isResync: resync != nil)
            }
        }
    }

    /// Applies a page and moves on, in one transaction. A page that was asked from elsewhere than where the feed
    /// stands is nothing.
    func apply(_ page: ChangeList, asked: FeedPosition, family: FamilyID) async throws {
        let changes = try page.changes.compactMap { try FeedChange($0) }
        try await write { [userID] db, now in
            let id = family.description
            guard
                let row = try Row.fetchOne(
                    db, sql: "select since, resync_since from family where id = ?",
                    arguments: [id])
            else { return }
            let incoming = Incoming(db: db, userID: userID, now: now)
            if asked.isResync {
                guard row["resync_since"] as Int64? == asked.since else { return }
                try incoming.stage(changes, page, family: id)
            } else {
                guard row["resync_since"] as Int64? == nil, row["since"] == asked.since else {
                    return
                }
                for change in changes { try incoming.apply(change, family: id) }
                try db.execute(
                    sql: """
                        update family set since = ?, is_complete = max(is_complete, ?)
                        where id = ?
                        """, arguments: [page.nextSince, !page.hasMore, id])
            }
        }
    }

    /// What changed since is not all known to the server any more: the family is read anew, beside the copy that is
    /// here.
    func beginResync(of family: FamilyID) async throws {
        try await write { db, _ in
            try db.execute(
                sql: "delete from staged_change where family_id = ?",
                arguments: [family.description])
            try db.execute(
                sql: "update family set resync_since = 0 where id = ?",
                arguments: [family.description])
        }
    }

    func removeFamily(_ family: FamilyID) async throws {
        try await write { [userID] db, now in
            try Incoming(db: db, userID: userID, now: now).removeFamily(family.description)
        }
    }

    func apply(_ families: [FamilySummary]) async throws {
        try await write { db, _ in
            for family in families {
                try db.execute(
                    sql: """
                        insert into family (id, name, sharing_policy, owner_id, role, revision,
                            created_at, updated_at)
                        values (?, ?, ?, ?, ?, ?, ?, ?)
                        on conflict (id) do update set name = excluded.name,
                            sharing_policy = excluded.sharing_policy,
                            owner_id = excluded.owner_id, role = excluded.role,
                            revision = excluded.revision, updated_at = excluded.updated_at
                        where family.revision <= excluded.revision
                        """,
                    arguments: [
                        family.id.description, family.name, family.sharingPolicy.rawValue,
                        family.ownerId?.description, family.role.rawValue, family.revision,
                        family.createdAt.milliseconds, family.updatedAt.milliseconds,
                    ])
            }
        }
    }

    /// What a device that just made or joined the family knows already, before the feed tells the rest.
    func adopt(
        family: FamilyID, name: String, policy: SharingPolicy, owner: UserID?, role: MemberRole,
        createdAt: Timestamp, revision: Int64
    ) async throws {
        try await write { db, _ in
            try db.execute(
                sql: """
                    insert or ignore into family (id, name, sharing_policy, owner_id, role,
                        revision, created_at, updated_at)
                    values (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    family.description, name, policy.rawValue, owner?.description,
                    role.rawValue, revision, createdAt.milliseconds, createdAt.milliseconds,
                ])
        }
    }

    func adopt(_ child: Child) async throws {
        try await write { [userID] db, now in
            try Incoming(db: db, userID: userID, now: now).apply(
                FeedChange.FeedChild(
                    id: child.id, family: child.familyId, name: child.name,
                    dateOfBirth: child.dateOfBirth, createdAt: child.createdAt,
                    revision: child.revision))
        }
    }
}

extension Incoming {
    /// Keeps a page beside the old copy; after the last one, swaps.
    fileprivate func stage(_ changes: [FeedChange], _ page: ChangeList, family: String) throws {
        for change in changes {
            try db.execute(
                sql: "insert into staged_change (family_id, change) values (?, ?)",
                arguments: [family, try StoredJSON.text(change)])
        }
        if page.hasMore {
            try db.execute(
                sql: "update family set resync_since = ? where id = ?",
                arguments: [page.nextSince, family])
        } else {
            try swap(family: family, nextSince: page.nextSince)
        }
    }

    /// What was read anew takes the old copy's place; what waits to be sent stays on top of it.
    private func swap(family: String, nextSince: Int64) throws {
        let staged = try String.fetchAll(
            db, sql: "select change from staged_change where family_id = ? order by number",
            arguments: [family]
        ).map { try StoredJSON.value(FeedChange.self, $0) }
        // The server may have been set back to an older copy: what it says now holds, whatever was known.
        for table in ["entry", "child", "member"] {
            try db.execute(
                sql: "update \(table) set revision = 0 where family_id = ?", arguments: [family])
        }
        try db.execute(
            sql: "update family set revision = 0 where id = ?", arguments: [family])
        for change in staged { try apply(change, family: family) }
        let here = Set(staged.compactMap(\.presentID))
        let gone = { (table: String, id: String, condition: String) in
            try String.fetchAll(
                db, sql: "select \(id) from \(table) where family_id = ? and \(condition)",
                arguments: [family]
            ).filter { !here.contains($0) }
        }
        for id in try gone("entry", "id", "server_fields is not null") {
            if let id = UUID(uuidString: id) { try remove(id, revision: nil) }
        }
        for id in try gone("child", "id", "name is not null") {
            try removeChild(id, revision: nil)
        }
        for id in try gone("member", "user_id", "true") {
            try db.execute(
                sql: "delete from member where family_id = ? and user_id = ?",
                arguments: [family, id])
        }
        try db.execute(
            sql: "delete from staged_change where family_id = ?", arguments: [family])
        try db.execute(
            sql: """
                update family set since = ?, resync_since = null, is_complete = 1 where id = ?
                """, arguments: [nextSince, family])
    }
}

extension Store {
    /// The person has left or deleted the family, and needs no notice of it.
    func leaveFamily(_ family: FamilyID) async throws {
        try await write { db, _ in
            try db.execute(
                sql: "delete from family where id = ?", arguments: [family.description])
        }
    }
}
