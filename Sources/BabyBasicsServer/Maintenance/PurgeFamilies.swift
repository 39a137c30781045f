import BabyBasicsAPI
import FoundationEssentials
import Postgres

/// A table of what a family deleted, each row with a number of the family's.
struct DueInFamilies {
    let table: String
    /// The column of the deleted thing's id.
    let id: String
    /// What must hold besides the age.
    let condition: SQL

    static let events = DueInFamilies(table: "events", id: "id", condition: "true")
    static let plans = DueInFamilies(table: "plans", id: "id", condition: "true")
    static let tombstones = DueInFamilies(
        table: "tombstones", id: "entity_id", condition: "revision is not null")
}

extension Purge {
    /// Removes what is due, some rows of one family at a time, and notes in the family how far it was purged.
    ///
    /// Families that are locked are passed over at first, and waited for at the end.
    /// - Parameter stillBusy: gets those that stayed locked.
    func remove(_ due: DueInFamilies, _ stillBusy: inout Set<FamilyID>) async throws -> Int {
        var removed = 0
        var busy: [FamilyID] = []
        while let rows = try await next(due, of: nil, except: busy) {
            for (family, ids) in rows {
                if let count = try await remove(due, ids, of: family, waiting: false) {
                    removed += count
                } else {
                    busy.append(family)
                }
            }
        }
        for family in busy {
            while let ids = try await next(due, of: family, except: [])?.first?.value {
                guard let count = try await remove(due, ids, of: family, waiting: true) else {
                    stillBusy.insert(family)
                    break
                }
                removed += count
            }
        }
        return removed
    }

    /// The rows that are due for longest, by family; nil where there are none.
    private func next(
        _ due: DueInFamilies, of family: FamilyID?, except busy: [FamilyID]
    ) async throws -> [FamilyID: [UUID]]? {
        let rows = try await connection.rows(
            """
            select family_id, \(unescaped: due.id) from \(unescaped: due.table)
            where deleted_at < \(now.adding(.zero - Self.keeping)) and \(fragment: due.condition)
                and family_id <> all(\(busy.map(\.uuid))) and (\(family)::uuid is null or family_id = \(family))
                and exists (select from families f where f.id = family_id)
            order by deleted_at limit \(batch)
            """
        ) { (family: try $0.next(FamilyID.self), id: try $0.next(UUID.self)) }
        guard !rows.isEmpty else { return nil }
        return Dictionary(grouping: rows, by: \.family).mapValues { $0.map(\.id) }
    }

    /// - Returns: nil where the family is locked.
    private func remove(
        _ due: DueInFamilies, _ ids: [UUID], of family: FamilyID, waiting: Bool
    ) async throws -> Int? {
        // What was restored before the lock was got is not due any more.
        try await locking(family, waiting: waiting) {
            try await connection.first(
                """
                with gone as (
                    delete from \(unescaped: due.table)
                    where family_id = \(family) and \(unescaped: due.id) = any(\(ids))
                        and deleted_at < \(now.adding(.zero - Self.keeping))
                    returning revision
                ), noted as (
                    update feeds
                    set purged_revision = greatest(purged_revision, (select max(revision) from gone))
                    where family_id = \(family) and exists (select from gone)
                )
                select count(*) from gone
                """
            ) { Int(try $0.next(Int64.self)) }
        }
    }

    /// Runs a change of a family in a transaction that has locked its feed.
    /// - Parameter first: locks what comes before the feed; see `FamilyLock`.
    /// - Returns: nil where the family is locked, 0 where it is gone.
    func locking(
        _ family: FamilyID, after first: SQL? = nil, waiting: Bool, _ body: () async throws -> Int?
    ) async throws -> Int? {
        let mode: SQL = waiting ? "" : "skip locked"
        do {
            return try await connection.transaction {
                if let first { try connection.enqueue(first) }
                let locked = try await connection.execute(
                    "select from feeds where family_id = \(family) for no key update \(fragment: mode)")
                // Who waits and finds none came after the family's end.
                guard locked == 1 else { return waiting ? 0 : nil }
                return try await body()
            }
        } catch let error as PostgresError where error.sqlState == .lockNotAvailable {
            return nil
        }
    }
}
