import BabyBasicsAPI
import Postgres

extension Purge {
    /// Removes the members whose time is over, one family at a time: with a tombstone for the feed, and an entry of the audit log that
    /// names nobody as having done it.
    ///
    /// Families that are locked are passed over at first, and waited for at the end.
    /// - Parameter stillBusy: gets those that stayed locked.
    func removeExpiredMembers(_ stillBusy: inout Set<FamilyID>) async throws -> Int {
        var removed = 0
        var busy: [FamilyID] = []
        while true {
            let families = try await familiesOfExpired(except: busy)
            if families.isEmpty { break }
            for family in families {
                if let count = try await removeExpired(of: family, waiting: false) {
                    removed += count
                } else {
                    busy.append(family)
                }
            }
        }
        for family in busy {
            if let count = try await removeExpired(of: family, waiting: true) {
                removed += count
            } else {
                stillBusy.insert(family)
            }
        }
        return removed
    }

    var expiredMembers: SQL { "access_until <= \(now)" }

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
        try await locking(family, waiting: waiting) {
            // A family's members are few. Each takes a number, as every change does.
            try await connection.first(
                """
                with gone as (
                    delete from \(unescaped: Members.table) where family_id = \(family) and \(fragment: expiredMembers)
                    returning user_id, role, access_until
                ), counted as (
                    update families set last_revision = last_revision + (select count(*) from gone)
                    where id = \(family)
                    returning last_revision - (select count(*) from gone) as before
                ), buried as (
                    insert into tombstones (family_id, entity, entity_id, revision, deleted_at)
                    select \(family), 'family_member', user_id, before + row_number() over (order by user_id), \(now)
                    from gone, counted
                    on conflict (entity_id, family_id) do update
                    set entity = excluded.entity, revision = excluded.revision, deleted_at = excluded.deleted_at
                ), logged as (
                    insert into audit_logs (family_id, entity_type, entity_id, action, changes, created_at)
                    select \(family), 'family_member', user_id, 'delete', jsonb_build_object(
                        'role', jsonb_build_object('old', role, 'new', null),
                        'access_until', jsonb_build_object('old',
                            to_char(access_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'new', null)
                    ), \(now)
                    from gone
                )
                select count(*) from gone
                """
            ) { Int(try $0.next(Int64.self)) }
        }
    }
}
