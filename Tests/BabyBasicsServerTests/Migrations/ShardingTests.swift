import BabyBasicsAPI
import Postgres
import TestSupport
import Testing

/// What `deploy/docs/capacity.md` builds on: families can be spread over machines by `family_id` without another shape of the data.
@Suite("The schema can be spread by family")
struct ShardingTests {
    /// Belong to one family each, and would live on its machine.
    static let familyOwned: Set<String> = Set(
        [
            "families", "feeds", "family_members", "children", "share_links", "events", "tombstones", "audit_logs",
            "plans", "reminders", "notification_settings", "notifications", "tokens", "webhooks", "webhook_deliveries",
        ])
    /// Belong to accounts or to nobody, and would live with the accounts.
    static let accounts: Set<String> = [
        "users", "sessions", "address_rates", "login_places", "login_failures",
        "installation", "mails", "mailed_links", "mail_rates", "devices", "pushes",
        "schema_migrations",
    ]
    /// Account entries of the audit log have no family, and no key but their own.
    static let familyOptional: Set<String> = ["audit_logs"]

    private func names(_ sql: SQL) throws -> Set<String> {
        try Set(
            TestCluster.shared.database().asOwner { session in
                try session.rows(sql) { try $0.next(String.self) }
            })
    }

    @Test("Every table is known to belong to a family or to the accounts")
    func tables() throws {
        let tables = try names(
            """
            select relname::text from pg_class
            where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
            """)
        #expect(tables == Self.familyOwned.union(Self.accounts))
    }

    /// A distributed table can only have keys that hold the column it is distributed by.
    @Test(
        "Every unique key of a family's table can hold family_id: the column is there and never NULL"
    )
    func uniqueKeys() throws {
        let without = try names(
            """
            select c.relname::text
            from pg_index i join pg_class c on c.oid = i.indrelid
            where i.indisunique and c.relnamespace = 'public'::regnamespace and c.relname <> 'families'
                and not exists (
                    select from pg_attribute a
                    where a.attrelid = c.oid and a.attname = 'family_id' and a.attnotnull)
            """)
        #expect(without.intersection(Self.familyOwned) == Self.familyOptional)
    }

    @Test("Every foreign key between families' tables joins tables that both know the family")
    func foreignKeys() throws {
        let known = """
            (relation.relname = 'families' or exists (
                select from pg_attribute a
                where a.attrelid = relation.oid and a.attname = 'family_id' and a.attnotnull))
            """
        let strangers = try names(
            """
            select k.conname::text
            from pg_constraint k
            where k.contype = 'f' and k.connamespace = 'public'::regnamespace
                and k.confrelid::regclass::text <> all(\(Array(Self.accounts)))
                and (select count(*) from pg_class relation
                    where relation.oid in (k.conrelid, k.confrelid) and \(unescaped: known)) < 2
            """)
        #expect(strangers == [])
    }

    @Test(
        "A foreign key out of a family's table leads to another one of its family or to an account, never back"
    )
    func directions() throws {
        let joined = try TestCluster.shared.database().asOwner { session in
            try session.rows(
                """
                select k.conrelid::regclass::text, k.confrelid::regclass::text
                from pg_constraint k where k.contype = 'f' and k.connamespace = 'public'::regnamespace
                """
            ) { (from: try $0.next(String.self), to: try $0.next(String.self)) }
        }
        let targets = joined.filter { Self.familyOwned.contains($0.from) }.map(\.to)
        #expect(Set(targets) == ["families", "family_members", "children", "plans", "reminders", "users", "webhooks"])
        let ofAccounts = joined.filter { Self.accounts.contains($0.from) }.map(\.to)
        #expect(Self.accounts.isSuperset(of: ofAccounts))
    }
}
