import Cryptography
import Foundation
import Postgres
import TestSupport
import Testing

@Suite("Migration of a database from before families")
struct LegacyMigrationTests {
    let legacy: LegacyDatabase

    init() throws {
        legacy = try LegacyDatabase()
    }

    private var database: TestDatabase { legacy.database }

    /// Each of these, under the same identifier, must be there before and after.
    private let kept: SQL =
        """
        select 'user ' || id || ' ' || email || ' ' || left(name, 100) from users
        union all select 'session ' || id || user_id || token_hash || expires_at from sessions
        union all select 'child ' || id || ' ' || left(name, 100) || date_of_birth || created_at from children
        union all select 'link ' || id || coalesce(created_by::text, '-') || created_at ||
            coalesce(used_at::text, '-') || coalesce(used_by::text, '-') from share_links
        union all select 'feeding ' || id || child_id || type || started_at || coalesce(ended_at::text, '-') ||
            coalesce(side, '-') || coalesce(amount_ml::text, '-') || coalesce(content, '-') ||
            coalesce(food, '-') || coalesce(notes, '-') || coalesce(created_by::text, '-') ||
            created_at || updated_at from feedings
        union all select 'diaper ' || id || child_id || type || occurred_at || coalesce(color, '-') ||
            coalesce(created_by::text, '-') || created_at from diapers
        union all select 'sleep ' || id || child_id || coalesce(type, '-') || started_at ||
            coalesce(created_by::text, '-') || created_at from sleeps
        union all select 'note ' || id || child_id || content || occurred_at ||
            coalesce(created_by::text, '-') || created_at from notes
        union all select 'audit ' || id || coalesce(user_id::text, '-') || entity_type || entity_id || action
            from audit_logs
        order by 1
        """

    @Test("Nothing is lost and nothing else changes")
    func nothingLost() throws {
        let before = try database.texts(kept)
        #expect(before.count > 90)
        try legacy.migrate()
        #expect(try database.texts(kept) == before)
        #expect(
            try database.texts(
                "select count(*)::text from pg_tables where tablename = 'child_access'")
                == ["0"])
    }

    @Test(
        "Every owner gets a family named after the first name; a child of caregivers alone gets one too"
    )
    func families() throws {
        try legacy.migrate()
        let families = try database.texts(
            """
            select u.email || ': ' || f.name || ': ' ||
                coalesce(string_agg(c.name, ', ' order by c.name), '-')
            from families f join users u on u.id = f.owner_id and u.id = f.created_by
            left join children c on c.family_id = f.id
            where f.sharing_policy = 'standard' and length(f.name) <= 100
            group by u.email, f.id, f.name order by 1
            """)
        let cut = LegacyDatabase.longName.prefix(100)
        #expect(
            families == [
                "blank@example.com: Our Family: Fay",
                "long@example.com: \(cut): \(cut)",
                "mia@example.com: Mía's Family: Dora",
                "noah@example.com: Noah's Family: Cleo, Emil",
                "olivia@example.com: Olivia's Family: Ada, Ben",
            ])
        #expect(try database.count("families") == 5)
    }

    @Test("Owners become parents, also of another owner's family; caregivers stay caregivers")
    func members() throws {
        try legacy.migrate()
        let members = try database.texts(
            """
            select f.name || ': ' || u.email || ' ' || m.role || ' ' ||
                extract(day from m.joined_at - timestamptz '\(unescaped: LegacyDatabase.start)')
            from family_members m join families f on f.id = m.family_id join users u on u.id = m.user_id
            where u.email not like 'carer%' and u.email <> 'long@example.com' order by 1
            """)
        #expect(
            members == [
                "Mía's Family: mia@example.com parent 1",
                "Mía's Family: olivia@example.com caregiver 2",
                "Noah's Family: noah@example.com parent 2",
                "Olivia's Family: noah@example.com parent 1",
                "Olivia's Family: olivia@example.com parent 0",
                "Our Family: blank@example.com parent 0",
            ])
        let carers = try database.texts(
            """
            select f.name || ' ' || m.role || ' ' || count(*)
            from family_members m join families f on f.id = m.family_id join users u on u.id = m.user_id
            where u.email like 'carer%' group by f.name, m.role
            """)
        #expect(carers == ["Noah's Family caregiver 20"])
    }

    @Test("Of the sleeps without an end only the latest of a child goes on")
    func openSleeps() throws {
        try legacy.migrate()
        let sleeps = try database.texts(
            """
            select right(id::text, 1) || ' ' || coalesce((ended_at - started_at)::text, 'open')
            from sleeps order by id
            """)
        #expect(sleeps == ["1 02:00:00", "2 1 day", "3 open", "4 open", "5 01:00:00"])
    }

    @Test("Each family's numbers have neither gaps nor doubles")
    func revisions() throws {
        try legacy.migrate()
        let wrong = try database.texts(
            """
            select f.name::text from families f join (
                select id as family_id, revision from families
                union all select family_id, revision from family_members
                union all select family_id, revision from children
                union all select family_id, revision from events
            ) things on things.family_id = f.id join feeds on feeds.family_id = f.id
            group by f.id, f.name, feeds.last_revision
            having array_agg(things.revision order by things.revision)
                <> array(select generate_series(1, feeds.last_revision))
            """)
        #expect(wrong == [])
        #expect(
            try database.texts(
                """
                select last_revision::text from feeds join families on id = family_id where name = 'Noah''s Family'
                """) == ["\(1 + 21 + 2 + 20)"])
        let strays = try database.texts(
            """
            select e.id::text from events e join children c on c.id = e.child_id where c.family_id <> e.family_id
            """)
        #expect(strays == [])
    }

    @Test(
        "A child without an access row stops the migration with its id and leaves the database as it was"
    )
    func stray() throws {
        let stray = LegacyDatabase.id(2, 99)
        try database.execute(
            "insert into children (id, name, date_of_birth) values (\(stray)::uuid, 'Stray', '2025-01-01')"
        )
        let before = try database.texts(kept)
        let error = #expect(throws: MigrationError.self) { try legacy.migrate() }
        #expect(error.map { "\($0)" }?.contains(stray) == true)
        #expect(try database.texts(kept) == before)
        #expect(try database.texts("select name from schema_migrations") == ["share_links"])
        #expect(try database.count("child_access") == 30)
        try database.execute("delete from children where id = \(stray)::uuid")
        try legacy.migrate()
    }

    @Test("An empty database migrates too")
    func empty() throws {
        let database = try TestCluster.shared.emptyDatabase()
        try database.asOwner {
            let migrator = try Migrator(directory: TestCluster.projectMigrations)
            let connection = $0.connection
            try TestLoop.run {
                _ = try await migrator.migrate(connection, to: 1)
                _ = try await migrator.migrate(connection)
            }
        }
        #expect(try database.count("families") == 0)
    }
}
