public import BabyBasicsAPI
import FoundationEssentials
public import JSON
import Postgres

extension Family {
    /// Reads `id, name, sharing_policy, owner_id, revision, created_at, updated_at`.
    init(_ row: inout Row) throws {
        self.init(
            id: try row.next(), name: try row.next(), sharingPolicy: try row.next(),
            ownerId: try row.next(), revision: try row.next(), createdAt: try row.next(),
            updatedAt: try row.next())
    }
}

extension Database {
    /// Gives rows of a family numbers of their own, in one statement, because what they show has changed elsewhere. The family is locked.
    func renumber(_ table: String, of family: FamilyID, where condition: SQL = "true") async throws {
        noteChange(of: family)
        try await execute(
            """
            with numbered as (
                select id, row_number() over (order by revision) as number from \(unescaped: table)
                where family_id = \(family) and \(fragment: condition)
            ), counted as (
                update families set last_revision = last_revision + (select count(*) from numbered)
                where id = \(family)
                returning last_revision - (select count(*) from numbered) as before
            )
            update \(unescaped: table) t set revision = counted.before + numbered.number
            from numbered, counted where t.id = numbered.id
            """)
    }

    /// Remembers what is deleted outright.
    /// - Parameter revision: nil for what goes with something else that has one.
    func bury(
        _ entity: String, _ id: UUID, of family: FamilyID, revision: Int64?, at now: Timestamp
    ) throws {
        try enqueue(
            """
            insert into tombstones (family_id, entity, entity_id, revision, deleted_at)
            values (\(family), \(entity), \(id), \(revision), \(now))
            on conflict (entity_id, family_id) do update
            set entity = excluded.entity, revision = excluded.revision, deleted_at = excluded.deleted_at
            """)
    }

    /// Remembers the events of a family or of one child that go with what is deleted.
    func buryEvents(where condition: SQL, at now: Timestamp) throws {
        for kind in EventKind.all {
            try enqueue(
                """
                insert into tombstones (family_id, entity, entity_id, deleted_at)
                select family_id, \(kind.name), id, \(now) from \(unescaped: kind.plural)
                where \(fragment: condition)
                """)
        }
    }
}

extension FamilyAnswer: JSONWritable {
    public func write(to json: inout JSONWriter) {
        json.object { $0.member("family", family) }
    }
}

extension Family: JSONWritable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("id", id)
            $0.member("name", name)
            $0.member("sharing_policy", sharingPolicy)
            $0.member("owner_id", ownerId)
            $0.member("revision", revision)
            $0.member("created_at", createdAt)
            $0.member("updated_at", updatedAt)
        }
    }
}
