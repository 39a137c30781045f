import BabyBasicsAPI
import FoundationEssentials
import Postgres

/// Identifiers that clients make. One that has ever stood for anything stands for nothing else, in any family.
enum ClientIdentifiers {
    /// Locks identifiers until the transaction ends, so that of two requests that bring one at once the second sees what the first made,
    /// whatever its kind and family. A statement that asks for their owners comes after it, and families are locked before.
    ///
    /// All take the locks in the same order, so that none waits for another in a circle, and identifiers share 2048 of them, so that any
    /// number of large batches stays within what PostgreSQL's table of locks can hold.
    static func claim(_ ids: [UUID]) -> SQL { claiming.binding(ids) }

    private static let claiming = PreparedSQL(unescaped: "select \(lock) from \(locks(of: "$1"))")

    /// Takes one of `locks`.
    static let lock = "pg_advisory_xact_lock(\(key), locks.number)"

    /// The locks of an array of identifiers, in the place of a table.
    static func locks(of ids: String) -> String {
        """
        (
            select distinct (hashtextextended(id::text, 0) & 2047)::int4 as number
            from unnest(\(ids)::uuid[]) id order by number
        ) locks
        """
    }

    /// The first half of the locks' keys, "idnt" in ASCII; the second is the lock's number. Whoever else takes such locks takes another.
    private static let key = 0x6964_6e74

    /// The query that finds which identifiers belong to something, be it deleted.
    /// - Parameter ids: what they are to equal: `any ($1)`, or one.
    static func owners(of ids: String) -> String {
        let tables = ["families", "children", "users", "share_links"] + EventKind.all.map(\.plural)
        let parts =
            tables.map { "select id from \($0) where id = \(ids)" }
            + ["select entity_id from tombstones where entity_id = \(ids)"]
        return parts.joined(separator: " union all ")
    }
}

extension Database {
    /// Whether a client's identifier is free: it belongs to nothing at all, what was deleted included.
    ///
    /// See `claim(_:[UUID])`.
    func claim(_ id: UUID) async throws -> Bool {
        try await claim([id]).isEmpty
    }

    /// Which of these identifiers belong to something, be it deleted. The others are the transaction's: nobody else gets them while it lasts.
    ///
    /// The locks travel with the question.
    func claim(_ ids: [UUID]) async throws -> Set<UUID> {
        try enqueue(ClientIdentifiers.claim(ids))
        return Set(try await rows(owners.binding(ids)) { try $0.next(UUID.self) })
    }
}

private let owners = PreparedSQL(unescaped: ClientIdentifiers.owners(of: "any ($1)"))
