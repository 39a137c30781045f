import Postgres
import TestSupport
import Testing

/// What the database itself sees to.
@Suite("The schema")
struct SchemaTests {
    private let database: TestDatabase

    init() throws { database = try TestCluster.shared.database() }

    /// Accounts are emptied, not deleted.
    @Test("Whatever a deletion takes along is found by an index, not by reading everybody's")
    func cascades() throws {
        let unindexed = try database.texts(
            """
            select k.conname::text
            from pg_constraint k
            where k.contype = 'f' and k.connamespace = 'public'::regnamespace
                and k.confrelid::regclass::text <> 'users'
                and not exists (
                    select from pg_index i
                    where i.indrelid = k.conrelid and i.indpred is null and i.indkey[0] = any(k.conkey))
            """)
        #expect(unindexed == [])
    }

    @Test("No constraint is left unchecked by the migrations")
    func validated() throws {
        let unchecked = try database.texts(
            "select conname::text from pg_constraint where not convalidated")
        #expect(unchecked == [])
    }

    @Test("An event's family is its child's", arguments: Sample.all)
    func familyOfEvents(sample: Sample) throws {
        let nursery = try Nursery()
        let id = try nursery.log(sample.kind, sample.least)["id"].string.required()
        let other = try nursery.server.family(of: nursery.parent, "Another Family")
        let error = #expect(throws: PostgresError.self) {
            try nursery.server.database.execute(
                """
                update events set family_id = \(other)::uuid where id = \(id)::uuid
                """)
        }
        #expect(error?.sqlState == .foreignKeyViolation)
    }
}
