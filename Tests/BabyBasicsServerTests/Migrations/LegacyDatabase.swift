import Cryptography
import Foundation
import Postgres
import TestSupport

/// A database as share-links v1.2.0 left it, with everything that was possible there.
///
/// - Olivia owns Ada and Ben; Ben has a second, later owner, Noah.
/// - Noah owns Cleo alone, and cares for Ada.
/// - Dora has caregivers only: Mia first, then Olivia. Emil has twenty caregivers and Noah for an owner.
/// - A user with a name that is too long, one whose name is blank, each with a child.
struct LegacyDatabase {
    static let start = "2026-01-01 12:00:00+00"
    static let openToken = "OpenOpenOpenOpenOpen_1"
    static let almostExpiredToken = "AlmostExpired-Expired1"
    static let usedToken = "UsedUsedUsedUsedUsed-1"
    static let expiredToken = "ExpiredExpiredExpired1"
    static let sessionToken = String(repeating: "5e", count: 32)
    /// 120 code points of three bytes each.
    static let longName = String(repeating: "日本語", count: 40)

    let database: TestDatabase

    init() throws {
        database = try TestCluster.shared.emptyDatabase()
        try migrate(to: 1)
        try database.script(Self.script)
    }

    func migrate(to version: Int? = nil) throws {
        try database.asOwner {
            let connection = $0.connection
            _ = try TestLoop.run {
                try await Migrator(directory: TestCluster.projectMigrations)
                    .migrate(connection, to: version)
            }
        }
    }

    /// An identifier that a reader can recognize.
    static func id(_ kind: Int, _ number: Int) -> String {
        let digits = String(number)
        return "0000000\(kind)-0000-4000-8000-"
            + String(repeating: "0", count: 12 - digits.count) + digits
    }

    static let olivia = id(1, 1)
    static let noah = id(1, 2)
    static let mia = id(1, 3)
    static let long = id(1, 4)
    static let blank = id(1, 5)
    static let ada = id(2, 1)
    static let ben = id(2, 2)
    static let cleo = id(2, 3)
    static let dora = id(2, 4)
    static let emil = id(2, 5)
    static let longChild = id(2, 6)
    static let blankChild = id(2, 7)

    private static var script: String {
        let users =
            """
            insert into users (id, email, name, password_hash, created_at) values
                ('\(olivia)', 'olivia@example.com', 'Olivia Maria Smith', 'none', '\(start)'),
                ('\(noah)', 'noah@example.com', '  Noah', 'none', '\(start)'),
                ('\(mia)', 'mia@example.com', 'Mía', 'none', '\(start)'),
                ('\(long)', 'long@example.com', '\(longName)', 'none', '\(start)'),
                ('\(blank)', 'blank@example.com', '   ', 'none', '\(start)');
            insert into users (id, email, name, password_hash)
            select ('00000001-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'carer' || n || '@example.com',
                'Carer ' || n, 'none'
            from generate_series(100, 119) n;
            insert into sessions (user_id, token_hash, expires_at)
            values ('\(olivia)', '\(Encoding.hex(Digest.sha256(sessionToken.utf8)))', now() + interval '30 days');
            """
        let children =
            """
            insert into children (id, name, date_of_birth, created_at) values
                ('\(ada)', 'Ada', '2025-11-01', '\(start)'), ('\(ben)', 'Ben', '2024-02-29', '\(start)'),
                ('\(cleo)', 'Cleo', '2025-01-01', '\(start)'), ('\(dora)', 'Dora', '2025-01-01', '\(start)'),
                ('\(emil)', 'Emil', '2025-01-01', '\(start)'),
                ('\(longChild)', '\(longName)', '2025-01-01', '\(start)'),
                ('\(blankChild)', 'Fay', '2025-01-01', '\(start)');
            insert into child_access (child_id, user_id, role, created_at) values
                ('\(ada)', '\(olivia)', 'owner', '\(start)'),
                ('\(ada)', '\(noah)', 'caregiver', timestamptz '\(start)' + interval '1 day'),
                ('\(ben)', '\(noah)', 'owner', timestamptz '\(start)' + interval '2 days'),
                ('\(ben)', '\(olivia)', 'owner', timestamptz '\(start)' + interval '1 day'),
                ('\(cleo)', '\(noah)', 'owner', timestamptz '\(start)' + interval '3 days'),
                ('\(dora)', '\(olivia)', 'caregiver', timestamptz '\(start)' + interval '2 days'),
                ('\(dora)', '\(mia)', 'caregiver', timestamptz '\(start)' + interval '1 day'),
                ('\(emil)', '\(noah)', 'owner', timestamptz '\(start)' + interval '9 days'),
                ('\(longChild)', '\(long)', 'owner', '\(start)'),
                ('\(blankChild)', '\(blank)', 'owner', '\(start)');
            insert into child_access (child_id, user_id, role)
            select '\(emil)', id, 'caregiver' from users where email like 'carer%';
            """
        let links =
            """
            insert into share_links (id, child_id, token, created_by, created_at, used_at, used_by) values
                ('\(id(3, 1))', '\(ada)', '\(openToken)', '\(olivia)', now() - interval '1 day', null, null),
                ('\(id(3, 2))', '\(ben)', '\(almostExpiredToken)', '\(noah)',
                    now() - interval '6 days 23 hours', null, null),
                ('\(id(3, 3))', '\(ada)', '\(usedToken)', '\(olivia)', now() - interval '2 days',
                    now() - interval '1 day', '\(noah)'),
                ('\(id(3, 4))', '\(ada)', '\(expiredToken)', '\(olivia)', now() - interval '8 days', null, null);
            """
        let events =
            """
            insert into feedings (child_id, type, started_at, ended_at, side, amount_ml, content, food, notes, created_by)
            select child, kind, '\(start)', null, case kind when 'breast' then 'left' end,
                case kind when 'bottle' then 120.5 end, case kind when 'bottle' then 'formula' end,
                case kind when 'solid' then 'Pear' end, 'a note', author
            from unnest(array['\(ada)', '\(ben)', '\(dora)']::uuid[]) child,
                unnest(array['breast', 'bottle', 'solid']) kind,
                unnest(array['\(olivia)', '\(noah)', null]::uuid[]) author;
            insert into diapers (child_id, type, occurred_at, color, created_by)
            select '\(emil)', 'dirty', '\(start)', 'green', id from users where email like 'carer%';
            insert into notes (child_id, content, occurred_at, created_by)
            values ('\(longChild)', '\(longName)', '\(start)', '\(long)');
            insert into sleeps (id, child_id, type, started_at, ended_at, created_by) values
                ('\(id(4, 1))', '\(ada)', 'nap', '\(start)', null, '\(olivia)'),
                ('\(id(4, 2))', '\(ada)', null, timestamptz '\(start)' + interval '2 hours', null, '\(noah)'),
                ('\(id(4, 3))', '\(ada)', 'night', timestamptz '\(start)' + interval '5 days', null, null),
                ('\(id(4, 4))', '\(ben)', 'night', '\(start)', null, '\(noah)'),
                ('\(id(4, 5))', '\(ben)', 'nap', '\(start)', timestamptz '\(start)' + interval '1 hour', '\(noah)');
            insert into audit_logs (user_id, entity_type, entity_id, action)
            values ('\(olivia)', 'child', '\(ada)', 'create'), (null, 'user', '\(noah)', 'update');
            """
        return users + children + links + events
    }
}
