import CLibPQ
import EventLoop

/// Statements, with all that belongs to running them: BEGIN and queued statements that travel along, room in the
/// statement cache, plans that went stale.
extension Connection {
    func run(_ statement: SQL) async throws -> QueryResult {
        do {
            return try await attempt(statement)
        } catch let failure as RoundTripFailure {
            throw failure.error
        }
    }

    private func attempt(_ statement: SQL) async throws -> QueryResult {
        let before = transaction
        let queued = queue
        let generation = statements.generation
        do {
            return try await step(statement)
        } catch let failure as RoundTripFailure where failure.planIsStale && isOpen {
            return try await repeated(statement, after: queued, in: before, since: generation, failure)
        }
    }

    /// Not inlined: a task keeps the room of its deepest call, and this is rare.
    @inline(never)
    private func repeated(
        _ statement: SQL, after queued: [SQL], in before: TransactionState, since generation: Int,
        _ failure: RoundTripFailure
    ) async throws -> QueryResult {
        // Only what was undone as a whole may be done again.
        switch before {
        case .none:
            try renewStatements(since: generation)
            queue = queued
        case .pending:
            try await rollBack()
            try renewStatements(since: generation)
            transaction = before
            queue = queued
        case .open:
            statements.removeAll()
            throw failure
        }
        return try await step(statement, isRenewed: true)
    }

    private func step(_ statement: SQL, isRenewed: Bool = false) async throws -> QueryResult {
        let before = transaction
        defer { if case .pending = before, isOpen, serverStatus != PQTRANS_IDLE { transaction = .open } }
        let result = try await sendStep(statement, isRenewed: isRenewed).end()
        if case .none = before { try checkStandby(statement) }
        try checkTransactionControl(statement.text)
        return result
    }

    /// Sends a statement with what is queued, and with BEGIN where the transaction has yet to begin.
    @inline(never)
    private func sendStep(_ statement: SQL, isRenewed: Bool) throws -> RoundTrip {
        let queued = queue
        if !queue.isEmpty { queue.removeAll(keepingCapacity: true) }
        switch transaction {
        case .none:
            // What another task has prepared just now may fail, and its error would be that task's alone.
            if isRenewed, let name = statements.remove(statement) { forgetOnServer(name) }
            return try send(
                queued + [statement],
                losing: statement.onlyReads && queued.isEmpty ? .connectionLost : .outcomeUnknown)
        case .pending(let begin): return try send([begin] + queued + [statement], losing: .connectionLost)
        case .open: return try send(queued + [statement], losing: .connectionLost)
        }
    }

    /// Sends statements together and returns the result of the last.
    func roundTrip(
        _ statements: [SQL], losing: PostgresError.Kind
    ) async throws(RoundTripFailure) -> QueryResult {
        try await send(statements, losing: losing).end()
    }

    private func send(
        _ all: [SQL], losing: PostgresError.Kind
    ) throws(RoundTripFailure) -> RoundTrip {
        if let first = underWay.first, first.endsWithoutSync {
            throw RoundTripFailure(
                error: PostgresError(.misuse("a statement while a script is under way"), sql: all.last?.text ?? ""))
        }
        if underWay.isEmpty { notices.standbyWaitWasCancelled = false }
        makeRoom(for: all.count)
        // What makes room may be what shows that the server is gone.
        guard let open = unsafe handle else {
            throw RoundTripFailure(error: PostgresError(.connectionLost, sql: all.last?.text ?? ""))
        }
        var commands: [SentCommand] = []
        commands.reserveCapacity(all.count + 1)
        for statement in all { try unsafe send(statement, &commands, on: open, losing: losing) }
        guard unsafe PQpipelineSync(open) == 1 else { throw lost(losing, all.last?.text ?? "") }
        let trip = RoundTrip(commands, losing: losing)
        expect(trip)
        return trip
    }

    private func send(
        _ statement: SQL, _ commands: inout [SentCommand], on open: OpaquePointer, losing: PostgresError.Kind
    ) throws(RoundTripFailure) {
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
            commands.append(SentCommand(text: statement.text, purpose: .prepare(key: new.key)))
            guard
                unsafe PQsendPrepare(open, name, statement.text, Int32(new.types.count), new.types) == 1
            else { throw lost(losing, statement.text) }
        }
        commands.append(SentCommand(text: statement.text, purpose: .execute(isNew: known == nil)))
        guard unsafe buffers.send(statement, as: name, on: open) else {
            throw lost(losing, statement.text)
        }
    }

    /// BEGIN and COMMIT in a statement would have this side and the server disagree.
    func checkTransactionControl(_ text: String) throws {
        guard isOpen, underWay.isEmpty else { return }
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

    /// Closes the connection and makes the error that says so.
    func lost(_ kind: PostgresError.Kind, _ text: String) -> RoundTripFailure {
        close()
        return RoundTripFailure(error: PostgresError(kind, sql: text))
    }
}

/// Room for prepared statements.
extension Connection {
    /// Keeps the number of prepared statements within its bound.
    private func makeRoom(for count: Int) {
        guard statements.count + count > statements.capacity, serverStatus != PQTRANS_INERROR else { return }
        while statements.count > 0, statements.count + count > statements.capacity,
            let name = statements.removeOldest()
        {
            forgetOnServer(name)
        }
    }

    /// Has all statements prepared anew, unless another did since they were used.
    private func renewStatements(since generation: Int) throws(RoundTripFailure) {
        guard statements.generation == generation else { return }
        statements.removeAll()
        forgetOnServer("ALL")
    }

    /// Travels ahead of what is sent next. That it fails, where somebody's DISCARD ALL has done it, is no matter.
    private func forgetOnServer(_ name: String) {
        guard let open = unsafe handle else { return }
        let text = "DEALLOCATE \(name)"
        guard unsafe PQsendQueryParams(open, text, 0, nil, nil, nil, nil, 1) == 1,
            unsafe PQpipelineSync(open) == 1
        else { return close() }
        let command = SentCommand(text: text, purpose: .execute(isNew: true))
        expect(RoundTrip([command], losing: .connectionLost))
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
