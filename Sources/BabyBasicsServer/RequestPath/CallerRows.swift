import Postgres

/// Rows that hang on the caller alone, read in the statement that finds the session: one round trip for the whole request.
struct CallerRows<Element>: Sendable {
    private let statement: SessionStatement
    private let make: @Sendable (inout Row) throws -> Element

    /// - Parameters:
    ///   - columns: what `make` reads.
    ///   - tables: joined as they stand.
    ///   - user: the column that holds the caller's identifier.
    ///   - key: a column that is never NULL in a row.
    init(
        columns: String, from tables: String, of user: String, key: String, order: String,
        _ make: @escaping @Sendable (inout Row) throws -> Element
    ) {
        statement = SessionStatement(
            columns: ", \(key) is not null, \(columns)",
            joins: "left join (\(tables)) on \(user) = s.user_id",
            end: "order by \(order)")
        self.make = make
    }

    /// - Throws: `APIError` 401 or 429.
    func read(_ context: RequestContext, _ admission: Admission) throws -> [Element] {
        let found = try statement.rows(context, admission) { row in
            try row.next(Bool.self) ? make(&row) : nil
        }
        return found.rows.compactMap { $0 }
    }
}
