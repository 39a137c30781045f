import BabyBasicsAPI
import FoundationEssentials
import Postgres

extension Database {
    /// Whether a client's identifier is free: it belongs to nothing at all, what was deleted included.
    ///
    /// See `claim(_:[UUID])`.
    func claim(_ id: UUID) async throws -> Bool {
        try await claim([id]).isEmpty
    }

    /// Which of these identifiers belong to something, be it deleted. The others are the transaction's: nobody else gets them while it lasts.
    ///
    /// Locks on the identifiers come first, so that of two requests that bring one at once the second sees what the first made, whatever its
    /// kind and family. They travel with the question. All take them in the same order, so that none waits for another in a circle, and
    /// identifiers share 2048 of them, so that any number of large batches stays within what PostgreSQL's table of locks can hold.
    func claim(_ ids: [UUID]) async throws -> Set<UUID> {
        try enqueue(
            """
            select pg_advisory_xact_lock(\(Self.identifierLocks), number) from (
                select distinct (hashtextextended(id::text, 0) & 2047)::int4 as number
                from unnest(\(ids)) id order by number
            ) numbers
            """)
        return try await taken(ids)
    }

    /// The first half of the locks' keys, "idnt" in ASCII; the second is the lock's number. Whoever else takes such locks takes another.
    private static var identifierLocks: Int32 { 0x6964_6e74 }

    private func taken(_ ids: [UUID]) async throws -> Set<UUID> {
        let owners = ["families", "children", "users", "share_links"] + EventKind.all.map(\.plural)
        let parts = owners.map { table -> SQL in
            "select id from \(unescaped: table) where id = any (\(ids))"
        }
        let buried: SQL = "select entity_id from tombstones where entity_id = any (\(ids))"
        let found = try await rows((parts + [buried]).joined(separator: " union all ")) {
            try $0.next(UUID.self)
        }
        return Set(found)
    }
}
