public import BabyBasicsAPI
public import Foundation
import GRDB

/// A selection of a child's entries.
public struct EntryFilter: Hashable, Sendable {
    /// The kinds by their wire names; nil for all.
    public var kinds: Set<String>?
    /// From then on.
    public var from: Timestamp?
    /// Before then.
    public var to: Timestamp?
    /// Who logged it; nil for anybody.
    public var person: UserID?
    /// At most that many.
    public var limit: Int

    /// A filter; everything that is absent is not looked at.
    public init(
        kinds: Set<String>? = nil, from: Timestamp? = nil, to: Timestamp? = nil, person: UserID? = nil, limit: Int = 200
    ) {
        self.kinds = kinds
        self.from = from
        self.to = to
        self.person = person
        self.limit = limit
    }
}

extension AccountStore {
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
        -> [StoredEntry]
    {
        try await database.read { try Self.entries(of: child, filter, $0) }
    }

    /// One entry; nil for one that is deleted or unknown here.
    public func entry(_ id: UUID) async throws -> StoredEntry? {
        try await database.read { try Self.entry(id, $0) }
    }

    /// The pending changes, in order.
    public func pendingChanges() async throws -> [PendingChange] {
        try await database.read { try Outbox(db: $0).all() }
    }

    /// The account's own settings; nil before they were read once.
    public func profile() async throws -> Profile? {
        try await database.read { try Self.profile($0) }
    }

    /// Keeps the account's own settings.
    public func setProfile(_ profile: Profile) async throws {
        try await database.write { try ProfileRow(profile).save($0) }
    }

    static func families(_ db: Database) throws -> [StoredFamily] {
        try FamilyRow.order(FamilyRow.Columns.createdAt, FamilyRow.Columns.id).fetchAll(db).map { StoredFamily($0) }
    }

    static func members(of family: FamilyID, _ db: Database) throws -> [StoredMember] {
        try MemberRow.of(family).order(MemberRow.Columns.joinedAt, MemberRow.Columns.userID).fetchAll(db)
            .map { StoredMember($0) }
    }

    static func children(of family: FamilyID, _ db: Database) throws -> [StoredChild] {
        try ChildRow.of(family).order(ChildRow.Columns.createdAt, ChildRow.Columns.id).fetchAll(db)
            .compactMap { StoredChild($0) }
    }

    static func child(_ id: ChildID, _ db: Database) throws -> StoredChild? {
        try ChildRow.row(id).fetchOne(db).flatMap { StoredChild($0) }
    }

    static func profile(_ db: Database) throws -> Profile? {
        try ProfileRow.fetchOne(db).map { Profile($0) }
    }

    static func entry(_ id: UUID, _ db: Database) throws -> StoredEntry? {
        try EntryRow.row(id).filter(EntryRow.Columns.isDeleted == false).fetchShown(db).first
    }

    /// Those of some entries that are not deleted, newest first.
    static func entries(_ ids: [UUID], _ db: Database) throws -> [StoredEntry] {
        try EntryRow.filter(ids.map(\.text).contains(EntryRow.Columns.id) && EntryRow.Columns.isDeleted == false)
            .newestFirst().fetchShown(db)
    }

    static func entries(of child: ChildID, _ filter: EntryFilter, _ db: Database) throws -> [StoredEntry] {
        typealias Columns = EntryRow.Columns
        var request = EntryRow.shown(of: child)
        if let from = filter.from { request = request.filter(Columns.at >= Milliseconds(from)) }
        if let to = filter.to { request = request.filter(Columns.at < Milliseconds(to)) }
        if let person = filter.person { request = request.filter(Columns.authorID == person.description) }
        if let kinds = filter.kinds { request = request.filter(kinds.sorted().contains(Columns.kind)) }
        return try request.newestFirst().limit(filter.limit).fetchShown(db)
    }
}
