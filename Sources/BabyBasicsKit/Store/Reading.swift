public import BabyBasicsAPI
public import Foundation
import GRDB

/// What of a timeline is wanted.
public struct EntryFilter: Hashable, Sendable {
    /// The kinds by their wire names; nil for all.
    public var kinds: Set<String>?
    /// From then on.
    public var from: Timestamp?
    /// Before then.
    public var to: Timestamp?
    /// At most that many.
    public var limit: Int

    /// A filter; everything that is absent is not looked at.
    public init(
        kinds: Set<String>? = nil, from: Timestamp? = nil, to: Timestamp? = nil, limit: Int = 200
    ) {
        self.kinds = kinds
        self.from = from
        self.to = to
        self.limit = limit
    }
}

extension Store {
    /// The families on this device, oldest first.
    public func families() async throws -> [StoredFamily] {
        try await database.read { try Self.families($0) }
    }

    /// A family's members, by when they joined.
    public func members(of family: FamilyID) async throws -> [StoredMember] {
        try await database.read { try Self.members(of: family, $0) }
    }

    /// A family's children, oldest entry first.
    public func children(of family: FamilyID) async throws -> [StoredChild] {
        try await database.read { try Self.children(of: family, $0) }
    }

    /// A child's entries, newest first.
    public func entries(of child: ChildID, _ filter: EntryFilter = EntryFilter()) async throws
        -> [Entry]
    {
        try await database.read { try Self.entries(of: child, filter, $0) }
    }

    /// One entry; nil for one that is deleted or unknown here.
    public func entry(_ id: UUID) async throws -> Entry? {
        try await database.read { db in
            try Row.fetchOne(
                db, sql: "select \(Entry.columns) from entry where id = ? and is_deleted = 0",
                arguments: [id.text]
            ).map { try Entry(row: $0) }
        }
    }

    /// What waits to be sent, in order.
    public func pendingChanges() async throws -> [PendingChange] {
        try await database.read { try Outbox(db: $0).all() }
    }

    /// The account's own settings; nil before they were read once.
    public func profile() async throws -> Profile? {
        try await database.read { try Self.profile($0) }
    }

    /// Keeps the account's own settings.
    public func setProfile(_ profile: Profile) async throws {
        try await database.write { db in
            try db.execute(
                sql: "insert or replace into profile values (?, ?, ?, ?, ?)",
                arguments: [
                    profile.id.description, profile.email, profile.name, profile.timezone,
                    profile.dayStartTime,
                ])
        }
    }

    static func families(_ db: Database) throws -> [StoredFamily] {
        try Row.fetchAll(db, sql: "select * from family order by created_at, id")
            .map { try StoredFamily(row: $0) }
    }

    static func members(of family: FamilyID, _ db: Database) throws -> [StoredMember] {
        try Row.fetchAll(
            db, sql: "select * from member where family_id = ? order by joined_at, user_id",
            arguments: [family.description]
        ).map { try StoredMember(row: $0) }
    }

    static func children(of family: FamilyID, _ db: Database) throws -> [StoredChild] {
        try Row.fetchAll(
            db, sql: "select * from child where family_id = ? order by created_at, id",
            arguments: [family.description]
        ).compactMap { try StoredChild(row: $0) }
    }

    static func profile(_ db: Database) throws -> Profile? {
        try Row.fetchOne(db, sql: "select * from profile").map { row in
            Profile(
                id: try row.identifier("id"), email: row["email"], name: row["name"],
                timezone: row["timezone"], dayStartTime: row["day_start_time"])
        }
    }

    static func entries(of child: ChildID, _ filter: EntryFilter, _ db: Database) throws -> [Entry] {
        var conditions = ["child_id = ?", "is_deleted = 0"]
        var arguments: [(any DatabaseValueConvertible)?] = [child.description]
        if let from = filter.from {
            conditions.append("at >= ?")
            arguments.append(from.milliseconds)
        }
        if let to = filter.to {
            conditions.append("at < ?")
            arguments.append(to.milliseconds)
        }
        if let kinds = filter.kinds {
            conditions.append("kind in (\(kinds.map { _ in "?" }.joined(separator: ", ")))")
            arguments += kinds.sorted()
        }
        arguments.append(filter.limit)
        return try Row.fetchAll(
            db,
            sql: """
                select \(Entry.columns) from entry where \(conditions.joined(separator: " and "))
                order by at desc, id desc limit ?
                """, arguments: StatementArguments(arguments)
        ).map { try Entry(row: $0) }
    }
}
