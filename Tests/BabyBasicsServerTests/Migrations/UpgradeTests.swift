import BabyBasicsAPI
import Foundation
import Postgres
import TestSupport
import Testing

/// `sql/older/from_017.sql`.
@Suite("The upgrade from a table a kind of event to one of all")
struct UpgradeTests {
    @Test("Nothing is lost, and nothing else changes")
    func nothingLost() throws {
        let older = try OlderDatabase(events: OlderDatabase.events)
        let queries = try Self.kept(by: older)
        let before = try queries.map { try older.texts($0) }
        let size = try Self.sizeOfEvents(in: older)
        var applied: [String] = []
        let took = try ContinuousClock().measure { applied = try older.migrate() }
        #expect(applied == ["from_017", "mail", "plans", "push", "tokens", "webhooks", "languages"])
        if OlderDatabase.events > 100_000 {
            let sizes = try "\(size), then \(Self.sizeOfEvents(in: older))"
            print("\(OlderDatabase.events) events: upgraded in \(took), \(sizes)")
        }
        #expect(try queries.map { try older.texts($0) } == before)
        #expect(try older.database.count("events") == OlderDatabase.events)
        #expect(try older.texts("select distinct kind::text from events").count == 9)
        let wrong = try older.texts(
            """
            select id::text from events
            where updated_by is not null or for_doctor is distinct from case kind when 3 then false end
            """)
        #expect(wrong == [])
        let buried = try older.texts("select distinct entity::text from tombstones order by 1")
        #expect(buried == ["child", "family", "family_member"])
    }

    /// Of the tables that hold them, with their indexes.
    private static func sizeOfEvents(in older: OlderDatabase) throws -> String {
        try older.texts(
            """
            select round(sum(pg_total_relation_size(oid)) / 1000000) || ' MB' from pg_class
            where relkind = 'r' and relname = any ('{events, feedings, diapers, sleeps, notes, pumpings, measurements,
                temperatures, medications, activities}')
            """)[0]
    }

    /// Questions that the tables before and the views, or tables, afterwards answer alike. Each row is a number, so that
    /// a million can be added up.
    private static func kept(by older: OlderDatabase) throws -> [SQL] {
        let columns = try older.texts(
            """
            select relname || ': ' || string_agg(case attname
                when 'ended_at' then 'case when ended_at < started_at then started_at else ended_at end'
                else attname::text end, ', ' order by attname)
            from pg_attribute join pg_class on pg_class.oid = attrelid
            where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
                and relname not in ('schema_migrations', 'user_rates', 'kept_timelines', 'kept_dashboards', 'throttle_key')
                and (relname <> 'families' or attname not in ('last_revision', 'purged_revision', 'events_made',
                    'events_day', 'events_of_day', 'kinds'))
            group by relname
            """)
        #expect(columns.count == 20)
        return columns.map { line in
            let name = String(line.prefix { $0 != ":" })
            let columns = String(line.dropFirst(name.count + 2))
            let condition = name == "tombstones" ? "where entity in ('family', 'family_member', 'child')" : ""
            return """
                select \(name) || ' ' || count(*) || ' '
                    || coalesce(sum(hashtextextended(row(\(unescaped: columns))::text, 0)), 0)
                from \(unescaped: name) \(unescaped: condition)
                """
        }
    }

    @Test("How far a family's changes and its count of events have come goes to its feed")
    func feeds() throws {
        let older = try OlderDatabase()
        let before = try older.texts(
            """
            select (id, last_revision, purged_revision, coalesce(events_made, last_revision), events_day, events_of_day)::text
            from families order by 1
            """)
        try older.migrate()
        let after = try older.texts(
            """
            select (family_id, last_revision, purged_revision, events_made, events_day, events_of_day)::text
            from feeds order by 1
            """)
        #expect(after == before)
        #expect(before.count == 5)
    }

    @Test("Each family's numbers have neither gaps nor doubles")
    func revisions() throws {
        let older = try OlderDatabase()
        try older.migrate()
        let wrong = try older.texts(
            """
            select feeds.family_id::text from feeds join (
                select id as family_id, revision from families
                union all select family_id, revision from family_members
                union all select family_id, revision from children
                union all select family_id, revision from events
                union all select family_id, revision from tombstones where revision is not null
            ) things using (family_id)
            group by feeds.family_id, feeds.last_revision
            having array_agg(things.revision order by things.revision)
                <> array(select generate_series(1, feeds.last_revision))
            """)
        #expect(wrong == [])
    }

    /// The order of columns is not a part of it.
    @Test("It ends in the schema that the migrations make")
    func schema() throws {
        let older = try OlderDatabase(events: 0)
        let fresh = try TestCluster.shared.database()
        #expect(try older.texts(Self.catalog) != fresh.texts(Self.catalog))
        try older.migrate()
        let (made, wanted) = (Set(try older.texts(Self.catalog)), Set(try fresh.texts(Self.catalog)))
        #expect(made.subtracting(wanted) == [])
        #expect(wanted.subtracting(made) == [])
        #expect(wanted.count > 400)
    }

    private static let catalog: SQL = """
        select concat_ws(' ', 'column', attrelid::regclass, attname, format_type(atttypid, atttypmod), attnotnull,
            pg_get_expr(adbin, adrelid), attstorage, attcompression, attacl)
        from pg_attribute join pg_class on pg_class.oid = attrelid
            left join pg_attrdef on adrelid = attrelid and adnum = attnum
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'v') and attnum > 0 and not attisdropped
        union all
        select concat_ws(' ', 'relation', relname, relkind, relpersistence, reloptions, pg_get_userbyid(relowner),
            (select string_agg(entry::text, ',' order by entry::text) from unnest(relacl) entry))
        from pg_class where relnamespace = 'public'::regnamespace
        union all
        select concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated)
        from pg_constraint where connamespace = 'public'::regnamespace
        union all
        select concat_ws(' ', 'index', indexdef) from pg_indexes where schemaname = 'public'
        union all
        select concat_ws(' ', 'view', viewname, definition) from pg_views where schemaname = 'public'
        union all
        select concat_ws(' ', 'function', oid::regprocedure) from pg_proc where pronamespace = 'public'::regnamespace
        union all
        select concat_ws(' ', 'trigger', tgrelid::regclass, tgname) from pg_trigger where not tgisinternal
        union all
        select concat_ws(' ', 'right', nspacl) from pg_namespace where nspname = 'public'
        """

    @Test("It is recorded as 001 and 002, and what comes after them goes on from there")
    func recorded() throws {
        let older = try OlderDatabase(events: 0)
        try older.migrate()
        let names: SQL = "select version || ' ' || name from schema_migrations order by version"
        #expect(
            try older.texts(names) == [
                "1 share_links", "2 families", "3 mail", "4 plans", "5 push", "6 tokens", "7 webhooks", "8 languages",
            ])
        #expect(try older.migrate() == [])
        let fresh = try TestCluster.shared.database()
        let checksums: SQL = "select encode(checksum, 'hex') from schema_migrations order by version"
        #expect(try older.texts(checksums) == fresh.texts(checksums))
    }

    @Test("While a worker is connected it is refused in one line, and changes nothing")
    func workersStop() throws {
        let older = try OlderDatabase(events: 45)
        let worker = try TestConnection(ConnectionConfiguration(url: older.database.serverURL))
        let error = #expect(throws: MigrationError.self) { try older.migrate() }
        let line =
            "older/from_017.sql: error P0001: workers are connected to the database: "
            + "this upgrade needs all of them stopped, on every host"
        #expect(error.map { "\($0)" } == line)
        #expect(try older.database.count("feedings") == 5)
        #expect(try older.database.count("schema_migrations") == 17)
        worker.close()
        #expect(try older.migrate() == ["from_017", "mail", "plans", "push", "tokens", "webhooks", "languages"])
    }

    @Test("What fails on the way leaves the database as it was")
    func atOnce() throws {
        let older = try OlderDatabase(events: 45)
        try older.database.execute("create view discards as select 1 as mine")
        #expect(throws: MigrationError.self) { try older.migrate() }
        #expect(try older.database.count("families") == 5)
        #expect(try older.texts("select kinds::text from families").count == 5)
        #expect(try older.database.count("schema_migrations") == 17)
    }

    @Test("A database of other migrations is not taken for one of these")
    func others() throws {
        let older = try OlderDatabase(events: 0)
        try older.database.execute("update schema_migrations set checksum = '\\x00' where version = 9")
        let error = #expect(throws: MigrationError.self) { try older.migrate() }
        #expect(error.map { "\($0)" } == "002_families.sql was changed after it was applied")
    }

    @Test("Whoever was signed in goes on: the feed tells everything, and a new event has the next number")
    func served() throws {
        let older = try OlderDatabase()
        try older.migrate()
        let server = try TestServer(database: older.database)
        func get(_ path: String) -> JSON { server.send("GET", path, as: OlderDatabase.parent).json }
        let family = try get("families")["families"][0]["id"].string.required()
        #expect(get("families/\(family)/changes?since=0&limit=1000")["changes"].array.count == 97)
        let child = try get("children")["children"][0]["id"].string.required()
        #expect(get("children/\(child)/timeline")["events"].array.count == 40)
        let made = server.send(
            "POST", "children/\(child)/diapers", as: OlderDatabase.parent,
            ["type": "wet", "occurred_at": "2026-01-01T00:00:00Z"])
        #expect(made.json["diaper"]["revision"] == 98)
    }
}
