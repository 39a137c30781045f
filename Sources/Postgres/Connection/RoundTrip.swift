import CLibPQ
import EventLoop

/// A command on its way to the server.
struct SentCommand {
    enum Purpose {
        /// `key`: by which the statement cache has it.
        case prepare(key: String)
        /// `isNew`: its preparation travels along.
        case execute(isNew: Bool)
    }

    let text: String
    let purpose: Purpose

    var isExecution: Bool { if case .execute = purpose { true } else { false } }
}

/// Why a round trip failed. The connection is closed if it is no longer usable.
struct RoundTripFailure: Error {
    let error: PostgresError
    /// The statement had been prepared for a schema that has changed since, or is gone.
    var planIsStale = false
}

/// Commands that were sent together, up to a Sync, and their answers.
///
/// Nothing counts until the Sync is answered: PostgreSQL commits a statement outside a transaction only there, after
/// it has reported its success.
final class RoundTrip {
    let commands: [SentCommand]
    /// What it means if the connection breaks on the way.
    let losing: PostgresError.Kind
    /// By the simple protocol, where libpq ends the answers with a null pointer.
    let endsWithoutSync: Bool
    let since = Monotonic.now
    /// Of the last command.
    private(set) var result: QueryResult?
    private(set) var failure: RoundTripFailure?
    private(set) var isComplete = false
    private var answered = 0
    /// Null pointers that libpq puts between answers, in a row.
    private var skipped = 0
    private var waiting: SuspendedTask?

    init(
        _ commands: [SentCommand], losing: PostgresError.Kind, endsWithoutSync: Bool = false
    ) {
        self.commands = commands
        self.losing = losing
        self.endsWithoutSync = endsWithoutSync
    }

    var text: String { commands.last?.text ?? "" }

    /// Whether nobody waits for it.
    var isUnattended: Bool { waiting == nil }

    /// Suspends until all of it is answered.
    /// - Throws: the first failure.
    func end() async throws(RoundTripFailure) -> QueryResult {
        if !isComplete { await suspend { waiting = $0 } }
        return try outcome()
    }

    @inline(never)
    private func outcome() throws(RoundTripFailure) -> QueryResult {
        if let failure { throw failure }
        guard let result else {
            throw RoundTripFailure(error: PostgresError(.connectionLost, sql: text))
        }
        return result
    }

    /// Returns whether there is nothing more to be had at present.
    func skips() -> Bool {
        skipped += 1
        return skipped > 2
    }

    func take(_ result: QueryResult, on connection: Connection) {
        skipped = 0
        switch result.status {
        case PGRES_PIPELINE_SYNC:
            if answered < commands.count { note(lost(result)) }
            isComplete = true
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
            if commands[min(answered, commands.count - 1)].isExecution { self.result = result }
            advance()
        case PGRES_PIPELINE_ABORTED:
            forget(connection)
            advance()
        case PGRES_FATAL_ERROR:
            // One more than there are commands tells that the commit at the Sync failed.
            forget(connection)
            note(serverFailure(result, connection))
            advance()
        default:
            note(RoundTripFailure(error: PostgresError(.misuse("COPY is not supported"), sql: text)))
            connection.close()
        }
    }

    func fail(_ failure: RoundTripFailure) {
        note(failure)
        finish()
    }

    func finish() {
        isComplete = true
        waiting.take()?.resume()
    }

    private func advance() { if !endsWithoutSync { answered += 1 } }

    private func note(_ failure: RoundTripFailure) { if self.failure == nil { self.failure = failure } }

    private func lost(_ result: QueryResult) -> RoundTripFailure {
        RoundTripFailure(error: PostgresError(losing, sql: text))
    }

    private var current: SentCommand { commands[min(answered, commands.count - 1)] }

    /// A statement that was not prepared is not known to the server.
    private func forget(_ connection: Connection) {
        if answered < commands.count, case .prepare(let key) = current.purpose {
            connection.statements.remove(key)
        }
    }

    /// What an error result means. One that ends the connection is followed by its end.
    private func serverFailure(
        _ result: QueryResult, _ connection: Connection
    ) -> RoundTripFailure {
        guard let state = result.sqlState else { return lost(result) }
        if result.isFatal {
            // A connection that idled too long was ended before it got what we have just sent.
            let isCertain = state == .idleInTransactionTimeout
            return RoundTripFailure(
                error: PostgresError(isCertain ? .connectionLost : losing, sql: current.text))
        }
        if state == .readOnlyTransaction { connection.mustNotBeReused = true }
        var isOld = false
        if case .execute(isNew: false) = current.purpose { isOld = true }
        return RoundTripFailure(
            error: result.error(state, sql: current.text),
            planIsStale: isOld && (state == .invalidStatementName || state == .featureNotSupported))
    }
}
