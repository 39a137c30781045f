import Postgres

extension Connection {
    /// Which run of numbers the database is in. One that was copied gets another first, so that nobody goes on from a position of
    /// the one before; of several workers that find it, one does that.
    ///
    /// A dump that is read in writes the row anew, be it into the same database; a copy within PostgreSQL is another database. A
    /// standby that takes over is neither.
    func currentGeneration() async throws -> Int64 {
        // Further from the one before than any day is, and drawn: of two copies of one database each has another.
        let generation = try await first(
            """
            with copied as (
                update public.installation i
                set generation = (generation + 32768 + floor(random() * 2031616)::bigint) % 2097152,
                    written_by = pg_current_xact_id(), database = here.oid, system_identifier = cluster.system_identifier
                from pg_control_system() cluster, pg_database here
                where here.datname = current_database() and (
                    i.xmin <> written_by::xid or database <> here.oid
                    or i.system_identifier <> cluster.system_identifier)
                returning generation
            )
            select coalesce((select generation from copied), (select generation from public.installation))
            """
        ) { try $0.next(Int64.self) }
        guard let generation else { throw PostgresError(.decoding(column: "generation", reason: "no installation")) }
        return generation
    }
}
