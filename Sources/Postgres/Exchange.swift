import CLibPQ
import Glibc
import Logging

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

/// Why an exchange failed. The connection is closed if it is no longer usable.
struct ExchangeFailure: Error {
    let error: PostgresError
    /// The statement had been prepared for a schema that has changed since, or is gone.
    var planIsStale = false
}

/// One round trip: any number of commands go out together, then all answers come in.
///
/// Nothing counts until the final Sync is answered: PostgreSQL commits a statement outside a
/// transaction only there, after it has reported its success.
extension Connection {
    /// - Parameters:
    ///   - prelude: is committed by itself, before anything else; its result goes to `preludeResult`.
    ///   - losing: what it means if the connection breaks on the way.
    /// - Returns: the result of `last`.
    func exchange(
        prelude: SQL? = nil, begin: SQL?, queued: [SQL], last: SQL, losing: PostgresError.Kind
    ) throws(ExchangeFailure) -> QueryResult {
        let start = Monotonic.now
        defer { use.countRoundTrip(since: start) }
        let own = try dispatch(
            preludes: prelude.map { [$0] } ?? [], begin: begin, queued: queued, last: last,
            losing: losing)
        return try collect(after: own, losing: losing)
    }

    /// Sends what `exchange` sends, and any number of preludes. Returns the number of their commands.
    func dispatch(
        preludes: [SQL] = [], begin: SQL? = nil, queued: [SQL] = [], last: SQL,
        losing: PostgresError.Kind
    ) throws(ExchangeFailure) -> Int {
        guard let open = unsafe handle else {
            throw ExchangeFailure(error: PostgresError(.connectionLost, sql: last.text))
        }
        notices.standbyWaitWasCancelled = false
        sent.removeAll(keepingCapacity: true)
        for prelude in preludes {
            try send(prelude, losing: losing)
            guard unsafe PQpipelineSync(open) == 1 else { throw lost(losing, prelude.text) }
        }
        let own = sent.count
        if let begin { try send(begin, losing: losing) }
        for statement in queued { try send(statement, losing: losing) }
        try send(last, losing: losing)
        guard unsafe PQpipelineSync(open) == 1 else { throw lost(losing, last.text) }
        return own
    }

    /// The answers to what was sent, of which so many commands are the prelude's.
    func collect(
        after own: Int, losing: PostgresError.Kind
    ) throws(ExchangeFailure) -> QueryResult {
        own == 0 ? try receive(sent[...], losing: losing) : try receiveBoth(own, losing: losing)
    }

    /// The answers to a prelude of that many commands, and to what came after it.
    private func receiveBoth(
        _ ownCommands: Int, losing: PostgresError.Kind
    ) throws(ExchangeFailure) -> QueryResult {
        do {
            preludeResult = try receive(sent[..<ownCommands], losing: losing)
            prelude = nil
        } catch {
            // What follows has been sent and will be answered all the same.
            if isOpen { _ = try receive(sent[ownCommands...], losing: losing) }
            throw error
        }
        return try receive(sent[ownCommands...], losing: losing)
    }

    private func send(_ statement: SQL, losing: PostgresError.Kind) throws(ExchangeFailure) {
        guard let open = unsafe handle else { throw lost(losing, statement.text) }
        let name: String
        let known = statements.name(of: statement)
        if let known {
            name = known
        } else {
            guard !statement.text.utf8.contains(0), statement.parameters.count <= 65535 else {
                throw lost(.misuse("NUL in a statement, or over 65,535 parameters"), statement.text)
            }
            let new = statements.add(statement)
            name = new.name
            sent.append(SentCommand(text: statement.text, purpose: .prepare(key: new.key)))
            guard
                unsafe PQsendPrepare(
                    open, name, statement.text, Int32(new.types.count), new.types) == 1
            else { throw lost(losing, statement.text) }
        }
        sent.append(
            SentCommand(text: statement.text, purpose: .execute(isNew: known == nil)))
        guard unsafe buffers.send(statement, as: name, on: open) else {
            throw lost(losing, statement.text)
        }
    }

    /// The answers to these commands, up to that to the Sync behind them. Returns the last.
    func receive(
        _ commands: ArraySlice<SentCommand>, losing: PostgresError.Kind
    ) throws(ExchangeFailure) -> QueryResult {
        var final: QueryResult?
        try receive(commands, losing: losing) { final = $0 }
        guard let final else { throw lost(losing, "") }
        return final
    }

    /// - Parameter take: gets the answer to each statement, in their order. Those count if this does not throw.
    func receive(
        _ commands: ArraySlice<SentCommand>, losing: PostgresError.Kind,
        _ take: (QueryResult) -> Void
    ) throws(ExchangeFailure) {
        var failure: ExchangeFailure?
        for command in commands {
            guard let result = try nextResult(command, losing: losing) else {
                throw lost(losing, command.text)
            }
            let status = result.status
            switch status {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
                if command.isExecution { take(result) }
            case PGRES_PIPELINE_ABORTED:
                forget(command)
            case PGRES_FATAL_ERROR:
                forget(command)
                let found = try serverFailure(result, command, losing: losing)
                if failure == nil { failure = found }
            default:
                throw lost(.misuse("COPY is not supported"), command.text)
            }
            // The end of this command's results.
            guard try nextResult(command, losing: losing) == nil else {
                throw lost(losing, command.text)
            }
        }
        if let late = try finish(commands.last, losing: losing), failure == nil { failure = late }
        if let failure { throw failure }
    }

    /// Reads up to the answer to Sync, before which a commit outside a transaction may yet fail.
    private func finish(
        _ command: SentCommand?, losing: PostgresError.Kind
    ) throws(ExchangeFailure) -> ExchangeFailure? {
        guard let command else { return nil }
        var failure: ExchangeFailure?
        for _ in 0..<8 {
            guard let result = try nextResult(command, losing: losing) else { continue }
            if result.status == PGRES_PIPELINE_SYNC { return failure }
            guard result.status == PGRES_FATAL_ERROR else { continue }
            failure = try serverFailure(result, command, losing: losing)
        }
        throw lost(losing, command.text)
    }

    /// The next result, or nil where libpq ends a command's results.
    func nextResult(
        _ command: SentCommand, losing: PostgresError.Kind
    ) throws(ExchangeFailure) -> QueryResult? {
        guard let open = unsafe handle else { throw lost(losing, command.text) }
        while unsafe PQisBusy(open) == 1 {
            // What the socket did not take at once still has to go.
            let events = unsafe PQflush(open) == 1 ? POLLIN | POLLOUT : POLLIN
            var descriptor = pollfd(fd: unsafe PQsocket(open), events: Int16(events), revents: 0)
            let ready = unsafe poll(&descriptor, 1, responseTimeout)
            if ready < 0, errno == EINTR { continue }
            if ready == 0 {
                logger.error("PostgreSQL does not answer; connection given up")
                suspectServer()
            }
            // libpq marks a broken connection itself and then is not busy any more.
            guard ready > 0 else { throw lost(losing, command.text) }
            if unsafe PQconsumeInput(open) == 0 { break }
        }
        guard let result = unsafe PQgetResult(open) else {
            if unsafe PQstatus(open) == CONNECTION_BAD { throw lost(losing, command.text) }
            return nil
        }
        return unsafe QueryResult(owning: result)
    }

    /// What an error result means. One that ends the connection is thrown, any other returned.
    func serverFailure(
        _ result: QueryResult, _ command: SentCommand, losing: PostgresError.Kind
    ) throws(ExchangeFailure) -> ExchangeFailure {
        guard let state = result.sqlState else { throw lost(losing, command.text) }
        if result.isFatal {
            // A session that idled too long was ended before it got what we have just sent.
            let isCertain = state == .idleInTransactionTimeout
            throw lost(isCertain ? .connectionLost : losing, command.text)
        }
        if state == .readOnlyTransaction { mustNotBeReused = true }
        var isOld = false
        if case .execute(isNew: false) = command.purpose { isOld = true }
        return ExchangeFailure(
            error: result.error(state, sql: command.text),
            planIsStale: isOld && (state == .invalidStatementName || state == .featureNotSupported))
    }

    /// A statement that was not prepared is not known to the server.
    private func forget(_ command: SentCommand) {
        if case .prepare(let key) = command.purpose { statements.remove(key) }
    }

    /// Closes the connection and makes the error that says so.
    func lost(_ kind: PostgresError.Kind, _ text: String) -> ExchangeFailure {
        close()
        return ExchangeFailure(error: PostgresError(kind, sql: text))
    }
}
