import BabyBasicsAPI
import FoundationEssentials
import Postgres
import TestSupport
import Testing

/// What `sql/citus/citus.sql` builds on: families can be spread over machines by `family_id` without another shape of the data.
@Suite("The schema can be spread by family")
struct ShardingTests {
    /// What grows with what families log: each family's on one machine.
    static let spread: Set<String> = ["feeds", "events", "tombstones", "audit_logs"]
    /// On every machine.
    static let copied: Set<String> = [
        "users", "families", "family_members", "children", "sessions", "plans", "tokens",
    ]
    /// The coordinator's own.
    static let central: Set<String> = [
        "share_links", "address_rates", "login_places", "login_failures", "installation", "mails", "mailed_links",
        "mail_rates", "devices", "pushes", "reminders", "notification_settings", "notifications", "webhooks",
        "webhook_deliveries", "schema_migrations",
    ]

    private func names(_ sql: SQL) throws -> Set<String> {
        try Set(
            TestCluster.shared.database().asOwner { session in
                try session.rows(sql) { try $0.next(String.self) }
            })
    }

    @Test("Every table is known to be spread, on every machine, or on the coordinator alone")
    func tables() throws {
        let tables = try names(
            """
            select relname::text from pg_class
            where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
            """)
        #expect(tables == Self.spread.union(Self.copied).union(Self.central))
    }

    @Test("citus.sql spreads and copies these, and those that refer to others after them")
    func file() throws {
        let path = TestCluster.projectMigrations + "/citus/citus.sql"
        let text = try String(decoding: #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
        let lists = text.split(separator: "'{").dropFirst().compactMap { part in
            part.contains("}'::text[]") ? part.prefix { $0 != "}" }.split(separator: ", ").map(String.init) : nil
        }
        let (copied, others) = (try #require(lists.first), try #require(lists.last))
        #expect(Set(copied) == Self.copied)
        #expect(Set(others + ["feeds"]) == Self.spread)
        for (from, to) in try foreignKeys() where Self.copied.contains(from) && from != to {
            let target = try #require(copied.firstIndex(of: to))
            #expect(target < (try #require(copied.firstIndex(of: from))), "\(from) refers to \(to)")
        }
    }

    /// A table that is spread can only have keys that hold the column it is spread by.
    @Test("Every unique key of a table that is spread holds family_id, or citus.sql replaces it: the audit log's")
    func uniqueKeys() throws {
        let without = try names(
            """
            select c.relname::text
            from pg_index i join pg_class c on c.oid = i.indrelid
            where i.indisunique and c.relnamespace = 'public'::regnamespace and not exists (
                select from pg_attribute a
                where a.attrelid = c.oid and a.attname = 'family_id' and a.attnotnull and a.attnum = any (i.indkey)
            )
            """)
        #expect(without.intersection(Self.spread) == ["audit_logs"])
    }

    @Test("A foreign key leads to what every machine has, or from the coordinator to its own")
    func directions() throws {
        for (from, to) in try foreignKeys() {
            let isCentral = Self.central.contains(from) && Self.central.contains(to)
            #expect(Self.copied.contains(to) || isCentral, "\(from) to \(to)")
        }
    }

    @Test("No table that is spread, or on every machine, has a trigger")
    func triggers() throws {
        let triggered = try names("select tgrelid::regclass::text from pg_trigger where not tgisinternal")
        #expect(triggered.intersection(Self.spread.union(Self.copied)) == [])
    }

    private func foreignKeys() throws -> [(from: String, to: String)] {
        try TestCluster.shared.database().asOwner { session in
            try session.rows(
                """
                select k.conrelid::regclass::text, k.confrelid::regclass::text
                from pg_constraint k where k.contype = 'f' and k.connamespace = 'public'::regnamespace
                """
            ) { (from: try $0.next(String.self), to: try $0.next(String.self)) }
        }
    }
}
