import BabyBasicsAPI
import FoundationEssentials
import Postgres

extension Session {
    /// Whether a client's identifier is free: it belongs to nothing at all, what was deleted included.
    ///
    /// Takes a lock on the identifier first, so that of two requests that bring it at once the second sees what the first made.
    func claim(_ id: UUID) throws -> Bool {
        try enqueue("select pg_advisory_xact_lock(hashtextextended(\(id)::text, 0))")
        return try taken([id]).isEmpty
    }

    /// Which of these identifiers belong to something, be it deleted.
    func taken(_ ids: [UUID]) throws -> Set<UUID> {
        let owners = ["families", "children", "users", "share_links"] + EventKind.all.map(\.plural)
        let parts = owners.map { table -> SQL in
            "select id from \(unescaped: table) where id = any (\(ids))"
        }
        let buried: SQL = "select entity_id from tombstones where entity_id = any (\(ids))"
        let found = try rows((parts + [buried]).joined(separator: " union all ")) {
            try $0.next(UUID.self)
        }
        return Set(found)
    }
}
