import BabyBasicsAPI
import Postgres

extension Purge {
    /// Removes the members whose time is over, one family at a time.
    ///
    /// Families that are locked are passed over at first, and waited for at the end.
    /// - Parameter stillBusy: gets those that stayed locked.
    func removeExpiredMembers(_ stillBusy: inout Set<FamilyID>) async throws -> Int {
        var removed = 0
        var changed: [NewsItem] = []
        var busy: [FamilyID] = []
        while true {
            let families = try await familiesOfExpired(except: busy)
            if families.isEmpty { break }
            for family in families {
                if let count = try await removeExpired(of: family, waiting: false) {
                    removed += count
                    changed.append(.family(family, upTo: NewsItem.unknown))
                } else {
                    busy.append(family)
                }
            }
        }
        for family in busy {
            if let count = try await removeExpired(of: family, waiting: true) {
                removed += count
                changed.append(.family(family, upTo: NewsItem.unknown))
            } else {
                stillBusy.insert(family)
            }
        }
        if !changed.isEmpty { try await connection.execute(News.notification(of: changed)) }
        return removed
    }

    var expiredMembers: SQL { Members.isExpired(at: now) }

    private func familiesOfExpired(except busy: [FamilyID]) async throws -> [FamilyID] {
        try await connection.rows(
            """
            select distinct family_id from \(unescaped: Members.table)
            where \(fragment: expiredMembers) and family_id <> all(\(busy.map(\.uuid))) limit \(batch)
            """
        ) { try $0.next(FamilyID.self) }
    }

    /// - Returns: nil where the family is locked.
    private func removeExpired(of family: FamilyID, waiting: Bool) async throws -> Int? {
        let members: SQL = """
            select from \(unescaped: Members.table) where family_id = \(family) and \(fragment: expiredMembers)
            order by user_id for update \(unescaped: waiting ? "" : "nowait")
            """
        return try await locking(family, after: members, waiting: waiting) {
            try await connection.first(Members.removalOfExpired(from: family, at: now)) { Int(try $0.next(Int64.self)) }
        }
    }
}
