import BabyBasicsAPI
import Postgres

// The rows of those whose time is over, until they are removed.

extension Members {
    static func isExpired(at moment: Timestamp) -> SQL { "access_until <= \(moment)" }

    /// Removes those whose time is over from a family that the transaction has locked: with a tombstone for the feed, and an entry of the
    /// audit log that names nobody as having done it. Answers how many there were.
    /// - Parameter user: nobody but this one.
    static func removalOfExpired(from family: FamilyID, of user: UserID? = nil, at now: Timestamp) -> SQL {
        // A family's members are few. Each takes a number, as every change does.
        """
        with gone as (
            delete from \(unescaped: table)
            where family_id = \(family) and \(fragment: isExpired(at: now)) and user_id = coalesce(\(user)::uuid, user_id)
            returning user_id, role, access_until
        ), counted as (
            update feeds set last_revision = last_revision + n.count
            from (select count(*) as count from gone) n
            where family_id = \(family)
            returning last_revision - n.count as before
        ), buried as (
            insert into tombstones (family_id, entity, entity_id, revision, deleted_at)
            select \(family), 'family_member', user_id, before + row_number() over (order by user_id), \(now)
            from gone, counted
            on conflict (family_id, entity_id) do update
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
    }
}
