import Postgres

extension Connection {
    /// Gives a database that was copied a generation of its own, so that nobody goes on from a position of the one before. Of several workers that
    /// find it, one does.
    ///
    /// A dump that is read in writes the row anew, be it into the same database; a copy within PostgreSQL is another database. A standby that
    /// takes over is neither.
    /// - Returns: whether it was copied.
    func noticeCopy() async throws -> Bool {
        // Further from the one before than any day is, and drawn: of two copies of one database each has another.
        try await execute(
            """
            update installation i
            set generation = (generation + 32768 + floor(random() * 2031616)::bigint) % 2097152,
                written_by = pg_current_xact_id(), database = here.oid, system_identifier = cluster.system_identifier
            from pg_control_system() cluster, pg_database here
            where here.datname = current_database() and (
                i.xmin <> written_by::xid or database <> here.oid
                or i.system_identifier <> cluster.system_identifier)
            """) == 1
    }
}
