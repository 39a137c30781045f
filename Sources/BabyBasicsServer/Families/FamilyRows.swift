import BabyBasicsAPI
import FoundationEssentials
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
    /// Remembers what is deleted outright.
    /// - Parameter revision: nil for what goes with something else that has one.
    func bury(
        _ entity: String, _ id: UUID, of family: FamilyID, revision: Int64?, at now: Timestamp
    ) throws {
        try enqueue(
            """
            insert into tombstones (family_id, entity, entity_id, revision, deleted_at)
            values (\(family), \(entity), \(id), \(revision), \(now))
            on conflict (family_id, entity_id) do update
            set entity = excluded.entity, revision = excluded.revision, deleted_at = excluded.deleted_at
            """)
    }
}
