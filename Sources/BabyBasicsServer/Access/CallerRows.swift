import Postgres

/// Rows that hang on the caller alone, read in the statement that finds the session: one round trip for the whole request.
struct CallerRows<Element>: Sendable {
    let statement: SessionStatement
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

    /// Asks for them; they are there when what is returned is called.
    /// - Throws: `APIError` 401 or 429, then.
    func ask(_ context: RequestContext, _ admission: Admission) throws -> () throws -> [Element] {
        let question = statement.question(context, admission)
        try question.ask()
        return {
            let found = try question.rows { try $0.next(Bool.self) ? make(&$0) : nil }
            return found.rows.compactMap { $0 }
        }
    }
}
