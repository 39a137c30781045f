import BabyBasicsAPI
import FastCGI
import Postgres

/// What was answered about a child once, and is read in the statement that finds the session and the child: one round trip for the
/// whole request, and one row instead of all those that the answer was made of.
///
/// It is kept with the family's `last_revision`, read before anything else was. Whoever changes something of a family counts that up in
/// the same transaction, and it never goes back: what has the same number now is as true as on the day it was written. Only the names of
/// those who left the family change without it, so no answer is kept that shows one.
struct KeptAnswer<Kept>: Sendable {
    /// The raw queries that ask for this answer; any other is not looked up.
    let queries: Set<String>
    let statement: SessionStatement
    private let make: @Sendable (inout Row) throws -> Kept

    /// - Parameters:
    ///   - columns: what `make` reads.
    ///   - table: its row `k` is the child's and has its family's revision.
    ///   - condition: what must be besides, of `k`, the caller's membership `m`, what is joined to it by `joins`, and the present, `$2`.
    init(
        queries: Set<String>, columns: String, from table: String, joins: String = "",
        where condition: String = "true",
        _ make: @escaping @Sendable (inout Row) throws -> Kept
    ) {
        self.queries = queries
        self.make = make
        statement = SessionStatement(
            columns: "\(childColumns), f.last_revision, k.child_id is not null, \(columns)",
            joins: """
                left join (\(childTables) \(joins))
                    on c.id = $3 and m.user_id = s.user_id
                left join \(table) k on k.child_id = c.id and k.revision = f.last_revision and \(condition)
                """)
    }

    /// Asks for the session, the child and what is kept. When what is returned is called, it finds them, or reads what is needed to make the
    /// answer anew.
    ///
    /// - Throws: `APIError` 401 or 429, then.
    func ask(
        _ context: RequestContext, _ admission: Admission
    ) throws -> () throws -> (child: FoundChild, kept: Kept?) {
        let childID = Identifier<Child>(context.parameters[0])
        let question = statement.question(context, admission, value: childID)
        try question.ask()
        return {
            let found = try question.rows { row in
                try row.next(Bool.self)
                    ? (facts: ChildFacts(&row), kept: row.next(Bool.self) ? make(&row) : nil) : nil
            }
            var facts = found.rows[0]?.facts
            let kept = found.rows[0]?.kept
            if kept == nil, let familyID = facts?.child.familyId {
                context.turn.release()
                facts?.memberNames = try context.database.memberNames(of: familyID)
            }
            return (FoundChild(caller: found.caller, facts: facts), kept)
        }
    }
}

extension ChildFacts {
    fileprivate init(_ row: inout Row) throws {
        self.init(child: try Child(&row), revision: try row.next())
    }
}

extension Session {
    fileprivate func memberNames(of family: FamilyID) throws -> [UserID: String] {
        let members = try rows(
            """
            select u.id, u.name from family_members m join users u on u.id = m.user_id
            where m.family_id = \(family)
            """
        ) { (try $0.next(UserID.self), try $0.next(String.self)) }
        return Dictionary(members) { first, _ in first }
    }
}

extension RequestContext {
    /// Whether this asks for an answer that may be kept.
    func asks<Kept>(for answer: KeptAnswer<Kept>) -> Bool {
        let target = request.bytes(of: "REQUEST_URI") ?? []
        let query = target.drop { $0 != UInt8(ascii: "?") }.dropFirst()
        return answer.queries.contains(String(decoding: query, as: UTF8.self))
    }
}
