import BabyBasicsAPI
import Cryptography
import FastCGI
import Logging
import Postgres

/// One request on its way: what came, when, and the database session that it holds while it needs one.
final class RequestContext {
    let request: Request
    let services: Services
    let route: Route
    /// The path's parameters, in the order of the pattern.
    let parameters: [Substring]
    /// The one moment that everything in this request happens at, to the millisecond that the wire shows.
    let now: Timestamp
    /// The same to the microsecond, by which identifiers are in the order of what happened.
    private let moment: Timestamp
    /// Go with every answer to this request, errors too.
    var headers: [(name: String, value: String)] = []
    var isCookieSession = false
    var rateLimit: RateLimitState?
    /// Known once the token has been checked.
    var caller: Caller?
    /// Runs after everything else of the request, by itself.
    var afterwards: SQL?
    /// What the sessions cost that were given back.
    private(set) var databaseUse = SessionUse()

    /// Of the thread that is at the request.
    var turn: Turn
    /// What becomes readable with the answer to the request's first statement, if that was sent by `ask` or `askInLine`.
    private(set) var awaited: CInt?
    /// The first statement, if `askInLine` has sent it.
    private(set) var inLine: PipelinedStatement?

    private var identifiersMade = 0
    private var lease: Lease?
    private var session: Session?

    init(
        request: Request, turn: Turn, services: Services, route: Route, parameters: [Substring]
    ) {
        self.request = request
        self.turn = turn
        self.services = services
        self.route = route
        self.parameters = parameters
        moment = services.clock.moment()
        now = moment.truncatedToMilliseconds
    }

    var endpoint: EndpointDescription { route.endpoint }

    /// The request's database session, taken from the pool when it is first asked for.
    var database: Session {
        get throws {
            if let session { return session }
            return hold(try services.pool.checkout())
        }
    }

    private func hold(_ lease: consuming Lease) -> Session {
        let session = lease.session
        self.lease = consume lease
        self.session = session
        return session
    }

    /// Sends the request's first statement if a session is at hand: the thread does other things until `awaited` can be read. Whoever runs
    /// the statement gets the answer, then or before.
    func ask(_ statement: SQL, after prelude: SQL? = nil) throws {
        guard session == nil, let lease = services.pool.checkoutIdle() else { return }
        awaited = try hold(lease).send(statement, after: prelude)
    }

    /// Like `ask`, with a statement that others may wait behind and that may be run again, whose rows are read by `rows`.
    func askInLine(_ statement: SQL) throws {
        inLine = services.pipelines.send(statement)
        guard let inLine else { return try ask(statement) }
        awaited = inLine.descriptor
    }

    /// Like `ask`, with a statement that is a whole change and may be one transaction with others' (`Pipelines.sendInGroup`), whose rows are
    /// read by `rows`.
    func askInGroup(_ statement: SQL, after prelude: SQL?) throws {
        inLine = services.pipelines.sendInGroup(statement, after: prelude)
        guard let inLine else { return try ask(statement, after: prelude) }
        awaited = inLine.descriptor
    }

    /// Runs a statement, unless its answer comes by `askInLine` or `askInGroup`, and reads its rows.
    ///
    /// - Parameters:
    ///   - prelude: see `Session.rows(_:after:reading:making:)`.
    ///   - reading: gets its first row, also where the rest has failed.
    func rows<Value>(
        _ statement: SQL, after prelude: SQL? = nil,
        reading: (inout Row) throws -> Void = { _ in }, _ make: (inout Row) throws -> Value
    ) throws -> [Value] {
        var prelude = prelude
        if let sent = inLine.take() {
            defer { databaseUse += sent.use }
            if let rows = try sent.rows(reading: reading, make) { return rows }
            turn.release()
            if sent.hasPrelude { prelude = nil }
        }
        guard let prelude else { return try database.rows(statement, make) }
        return try database.rows(statement, after: prelude, reading: reading, making: make)
    }

    /// Hashing takes longer than a hundred statements: it must not keep a session from others meanwhile.
    func releaseDatabase() {
        if let session { databaseUse += session.use }
        session = nil
        lease = nil
    }

    /// What does not belong into the request's own transaction, and comes after it.
    func settle() throws {
        guard afterwards != nil, try !database.isInTransaction else { return }
        if let statement = afterwards.take() { try database.execute(statement) }
    }

    func hash(_ password: String) throws -> String {
        releaseDatabase()
        return try services.passwords.hash(password)
    }

    /// - Parameter isPreferred: goes before strangers' attempts, which a flood may consist of.
    func verify(
        _ password: String, against stored: String?, isPreferred: Bool = true
    ) throws -> PasswordHasher.Verdict {
        releaseDatabase()
        return try services.passwords.verify(password, against: stored, isPreferred: isPreferred)
    }

    func newIdentifier<Entity>() throws -> Identifier<Entity> {
        identifiersMade += 1
        return try services.newIdentifier(at: moment, number: identifiersMade)
    }

    /// A path parameter as an identifier.
    /// - Throws: `otherwise` where it is none.
    func identifier<Entity>(
        _ index: Int, of type: Entity.Type = Entity.self, otherwise error: APIError = .notFound
    ) throws -> Identifier<Entity> {
        guard let identifier = Identifier<Entity>(parameters[index]) else { throw error }
        return identifier
    }
}
