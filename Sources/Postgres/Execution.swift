import CLibPQ

/// Statements, with all that belongs to running them: BEGIN and queued statements that travel
/// along, room in the statement cache, plans that went stale.
extension Connection {
    /// Runs a statement outside a transaction or the first of one, and ahead of it in the same round trip `prelude`, which is committed
    /// by itself whatever becomes of the rest. Its result is in `preludeResult`.
    func run(_ statement: SQL, after prelude: SQL) throws -> QueryResult {
        if case .open = transaction {
            throw PostgresError(.misuse("a prelude comes too late"), sql: prelude.text)
        }
        self.prelude = prelude
        preludeResult = nil
        defer { self.prelude = nil }
        let result = try run(statement)
        try checkStandby(prelude)
        return result
    }

    func run(_ statement: SQL) throws -> QueryResult {
        do {
            return try attempt(statement)
        } catch let failure as ExchangeFailure {
            throw failure.error
        }
    }

    private func attempt(_ statement: SQL) throws -> QueryResult {
        let before = transaction
        let queued = queue
        do {
            return try step(statement)
        } catch let failure as ExchangeFailure where failure.planIsStale && isOpen {
            statements.removeAll()
            statementsAreStale = true
            // Only what was undone as a whole may be done again.
            switch before {
            case .none: break
            case .pending:
                try rollBack()
                transaction = before
                queue = queued
            case .open: throw failure
            }
            return try step(statement)
        }
    }

    /// Sends a statement outside a transaction, whose answer is read by the `run` of the same statement, which comes next.
    func send(_ statement: SQL, after prelude: SQL?) throws {
        guard case .none = transaction, sentAhead == nil else {
            throw PostgresError(.misuse("a statement is under way"), sql: statement.text)
        }
        do {
            self.prelude = prelude
            defer { self.prelude = nil }
            try makeRoom(for: statement)
            let start = Monotonic.now
            let own = try dispatch(
                preludes: prelude.map { [$0] } ?? [], last: statement, losing: losing(statement))
            sentAhead = SentAhead(text: statement.text, ownCommands: own, since: start)
        } catch let failure as ExchangeFailure {
            throw failure.error
        }
    }

    private func answer(to sent: SentAhead, _ statement: SQL) throws -> QueryResult {
        sentAhead = nil
        guard sent.text == statement.text, (sent.ownCommands > 0) == (prelude != nil) else {
            close()
            throw PostgresError(.misuse("another statement was sent"), sql: statement.text)
        }
        defer { use.countRoundTrip(since: sent.since) }
        return try collect(after: sent.ownCommands, losing: losing(statement))
    }

    private func losing(_ statement: SQL) -> PostgresError.Kind {
        statement.onlyReads ? .connectionLost : .outcomeUnknown
    }

    private func step(_ statement: SQL) throws -> QueryResult {
        if let sentAhead {
            let result = try answer(to: sentAhead, statement)
            try checkStandby(statement)
            return result
        }
        try makeRoom(for: statement)
        let queued = queue
        if !queue.isEmpty { queue.removeAll(keepingCapacity: true) }
        let result: QueryResult
        switch transaction {
        case .none:
            result = try exchange(
                prelude: prelude, begin: nil, queued: [], last: statement,
                losing: losing(statement))
            try checkStandby(statement)
        case .pending(let begin):
            defer { if isOpen, serverStatus != PQTRANS_IDLE { transaction = .open } }
            result = try exchange(
                prelude: prelude, begin: begin, queued: queued, last: statement,
                losing: .connectionLost)
        case .open:
            result = try exchange(
                begin: nil, queued: queued, last: statement, losing: .connectionLost)
        }
        try checkTransactionControl(statement.text)
        return result
    }

    /// BEGIN and COMMIT in a statement would have this side and the server disagree.
    func checkTransactionControl(_ text: String) throws {
        let isIdle = serverStatus == PQTRANS_IDLE
        if isIdle != isInTransaction { return }
        close()
        throw PostgresError(.misuse("transaction control in a statement"), sql: text)
    }

    /// The commit is here but perhaps not on the standby that was to have it.
    func checkStandby(_ statement: SQL) throws {
        guard notices.standbyWaitWasCancelled else { return }
        suspectServer()
        throw PostgresError(.outcomeUnknown, sql: statement.text)
    }

    /// Keeps the number of prepared statements within its bound.
    func makeRoom(for statement: SQL) throws {
        if statementsAreStale, serverStatus == PQTRANS_IDLE {
            statements.removeAll()
            try deallocate("ALL")
            statementsAreStale = false
        }
        guard statements.count + queue.count + 3 > statements.capacity else { return }
        var all = queue + [statement]
        if let prelude { all.append(prelude) }
        if case .pending(let begin) = transaction { all.append(begin) }
        // Looking a statement up also makes it the last to go.
        // A batch queues one statement many times, which is prepared once.
        let unknown = all.filter { statements.name(of: $0) == nil }
        let new = Set(unknown.map(StatementCache.longKey)).count
        while statements.count > 0, statements.count + new > statements.capacity,
            serverStatus != PQTRANS_INERROR, let name = statements.removeOldest()
        {
            try deallocate(name)
        }
    }

    /// Whether a statement can be sent without making room for it.
    func hasRoom(for statement: SQL) -> Bool {
        statements.name(of: statement) != nil || statements.count < statements.capacity
    }

    private func deallocate(_ name: String) throws(ExchangeFailure) {
        do {
            try simple("DEALLOCATE \(name)", losing: .connectionLost)
        } catch {
            // Somebody else's DISCARD ALL has done it.
            if error.error.sqlState != .invalidStatementName { throw error }
        }
    }

    /// Runs a text of any number of statements by the simple protocol.
    func simple(_ text: String, losing: PostgresError.Kind) throws(ExchangeFailure) {
        guard let open = unsafe handle else { throw lost(.connectionLost, text) }
        let start = Monotonic.now
        defer { use.countRoundTrip(since: start) }
        let command = SentCommand(text: text, purpose: .execute(isNew: true))
        notices.standbyWaitWasCancelled = false
        guard unsafe PQexitPipelineMode(open) == 1, unsafe PQsendQuery(open, text) == 1 else {
            throw lost(losing, text)
        }
        var failure: ExchangeFailure?
        while let result = try nextResult(command, losing: losing) {
            switch result.status {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: break
            case PGRES_FATAL_ERROR:
                let found = try serverFailure(result, command, losing: losing)
                if failure == nil { failure = found }
            default: throw lost(.misuse("COPY is not supported"), text)
            }
        }
        guard unsafe PQenterPipelineMode(open) == 1 else { throw lost(losing, text) }
        if let failure { throw failure }
    }
}

extension SQL {
    /// Whether the statement begins like one that changes nothing: losing it loses no work.
    var onlyReads: Bool {
        var text = self.text
        return text.withUTF8 { text in
            let start = unsafe text.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
            return Self.readingWords.contains { word in
                word.withUTF8Buffer { word in
                    unsafe start.prefix(word.count).elementsEqual(word) { $0 | 0x20 == $1 }
                }
            }
        }
    }

    private static let readingWords: [StaticString] = ["select", "values", "show", "table"]
}
