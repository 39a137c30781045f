import BabyBasicsAPI
import GRDB

/// The store's migrations. A released one is never edited: a change is a new migration at the end.
enum Schema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1: families, entries and what waits") { db in
            try db.execute(sql: first)
        }
        migrator.registerMigration("2: known kinds, and what growth asks") { db in
            try db.execute(sql: second)
        }
        migrator.registerMigration("3: rejected changes, one process that syncs, the server's clock") { db in
            try db.execute(sql: third)
        }
        migrator.registerMigration("4: who changed an entry last, and what was deleted") { db in
            try db.execute(sql: fourth)
        }
        migrator.registerMigration("5: reminders, and when this person looked last") { db in
            try db.execute(sql: fifth)
        }
        migrator.registerMigration("6: when a doctor was seen last") { db in
            try db.execute(sql: "alter table growth_answer add column last_visit text")
        }
        migrator.registerMigration("7: in which language a person is spoken to") { db in
            try db.execute(sql: "alter table profile add column language text")
        }
        return migrator
    }

    static func prepare(_ database: some DatabaseWriter) throws {
        try migrator.migrate(database)
        try database.write { try meetNewKinds($0) }
    }

    /// A version before this one passed over kinds that it did not know, and the feed went on: what it has of them is
    /// told only to who asks from the beginning.
    static func meetNewKinds(_ db: Database) throws {
        let known = try Set(KnownKindRow.fetchAll(db).map(\.name))
        let new = (EventKind.all.map(\.name) + [PlanKind.name]).filter { !known.contains($0) }
        guard !new.isEmpty else { return }
        for name in new { try KnownKindRow(name: name).insert(db) }
        try StagedRow.deleteAll(db)
        try FamilyRow.updateAll(db, FamilyRow.Columns.resyncSince.set(to: 0))
    }

    private static let fifth = """
        create table reminder (
            id text primary key not null,
            child_id text not null,
            subject text,
            after_minutes integer,
            plan_id text,
            is_waiting integer not null,
            is_deleted integer not null default 0
        ) strict;

        create table looked (
            child_id text primary key not null references child (id) on delete cascade,
            at integer not null
        ) strict;
        """

    private static let fourth = """
        alter table entry add column editor_id text;

        create table deleted_entry (
            id text primary key not null,
            kind text not null,
            child_id text not null references child (id) on delete cascade,
            fields text not null,
            author_id text,
            author_name text not null,
            created_at integer not null,
            updated_at integer not null,
            revision integer not null,
            deleted_at integer not null
        ) strict;
        create index deleted_entry_child on deleted_entry (child_id, deleted_at);
        """

    private static let third = """
        alter table unsaved rename to rejected;

        create table sync_state (
            id integer primary key not null check (id = 1),
            clock_offset integer not null default 0,
            lease_holder text,
            lease_until integer
        ) strict;

        alter table outbox add column clock_offset integer not null default 0;
        alter table outbox add column clock_shift integer not null default 0;
        create index outbox_child on outbox (child_id, sequence);
        create index outbox_later on outbox (child_id, sequence) where operation <> 'create';

        -- Their form is another one now; what they held is asked for again.
        delete from staged_change;
        update family set resync_since = 0 where resync_since is not null;
        """

    // Those of the first migration's time.
    private static let second = """
        create table known_kind (name text primary key not null) strict;
        insert into known_kind values ('feeding'), ('diaper'), ('sleep'), ('note');

        create table growth_answer (
            child_id text primary key not null references child (id) on delete cascade,
            sex text,
            due_date text
        ) strict;
        """

    // An entry may come before its child, which then has no name yet, but never without a family.
    private static let first = """
        create table family (
            id text primary key not null,
            name text not null,
            sharing_policy text not null,
            owner_id text,
            role text not null,
            revision integer not null,
            created_at integer not null,
            updated_at integer not null,
            since integer not null default 0,
            is_complete integer not null default 0,
            resync_since integer
        ) strict;

        create table member (
            family_id text not null references family (id) on delete cascade,
            user_id text not null,
            name text not null,
            email text not null,
            role text not null,
            is_owner integer not null,
            access_until integer,
            joined_at integer not null,
            revision integer not null,
            primary key (family_id, user_id)
        ) strict;

        create table child (
            id text primary key not null,
            family_id text not null references family (id) on delete cascade,
            name text,
            date_of_birth text,
            created_at integer not null,
            revision integer not null
        ) strict;
        create index child_family on child (family_id);

        create table entry (
            id text primary key not null,
            kind text not null,
            family_id text not null references family (id) on delete cascade,
            child_id text not null references child (id) on delete cascade,
            at integer not null,
            ended_at integer,
            fields text not null,
            server_fields text,
            author_id text,
            author_name text not null,
            created_at integer not null,
            updated_at integer not null,
            server_updated_at integer,
            revision integer not null,
            is_deleted integer not null default 0
        ) strict;
        create index entry_timeline on entry (child_id, at desc, id desc);
        create index entry_kind on entry (child_id, kind, at desc, id desc);
        create index entry_running on entry (child_id, kind) where ended_at is null and kind in ('sleep', 'feeding');
        create index entry_family on entry (family_id);

        create table outbox (
            sequence integer primary key autoincrement,
            family_id text not null references family (id) on delete cascade,
            child_id text not null,
            entry_id text not null,
            kind text not null,
            operation text not null check (operation in ('create', 'edit', 'delete', 'restore')),
            changes text not null,
            base text not null,
            made_at integer not null,
            attempts integer not null default 0
        ) strict;
        create index outbox_entry on outbox (entry_id, sequence);

        create table unsaved (
            number integer primary key autoincrement,
            family_id text not null references family (id) on delete cascade,
            child_id text not null,
            entry_id text not null,
            kind text not null,
            operation text not null,
            fields text not null,
            changes text not null,
            reasons text not null,
            made_at integer not null
        ) strict;

        create table staged_change (
            number integer primary key autoincrement,
            family_id text not null references family (id) on delete cascade,
            change text not null
        ) strict;

        create table notice (
            number integer primary key autoincrement,
            content text not null,
            made_at integer not null
        ) strict;

        create table profile (
            id text primary key not null,
            email text not null,
            name text not null,
            timezone text not null,
            day_start_time text not null
        ) strict;
        """
}
