import CLibPQ

extension Connection {
    /// Runs `body` in a transaction: COMMIT when it returns, ROLLBACK when it throws.
    ///
    /// BEGIN travels with the first statement, so a transaction costs one round trip more than its statements, and a
    /// body without any costs none.
    ///
    /// - Throws: what `body` throws; `transactionAborted` when `body` swallowed an error; `outcomeUnknown` when the
    ///   connection breaks during COMMIT, or COMMIT did not wait for its standby: never to be repeated blindly;
    ///   `misuse` inside another transaction, or while other statements are under way.
    @discardableResult
    public func transaction<Value>(
        _ body: () async throws -> Value
    ) async throws -> Value {
        guard !isInTransaction, underWay.allSatisfy(\.isUnattended) else {
            throw PostgresError(.misuse("a transaction inside a transaction"))
        }
        transaction = .pending(begin: Self.begin)
        let value: Value
        do {
            value = try await body()
        } catch {
            await abandonTransaction()
            throw error
        }
        try await commit()
        return value
    }

    /// Has a statement of the transaction travel with the next one, or with COMMIT, at no round trip of its own: for
    /// writes whose result nobody reads, such as audit rows.
    ///
    /// An error it meets is thrown by the statement it travels with, and names its own text.
    ///
    /// - Throws: `connectionLost` where the server has left meanwhile; `misuse` outside a transaction.
    public func enqueue(_ sql: SQL) throws {
        guard isOpen else { throw PostgresError(.connectionLost, sql: sql.text) }
        guard isInTransaction else {
            throw PostgresError(.misuse("enqueue outside a transaction"), sql: sql.text)
        }
        queue.append(sql)
    }

    private static let begin: SQL = "BEGIN ISOLATION LEVEL READ COMMITTED"
    private static let commit: SQL = "COMMIT"
    private static let rollback: SQL = "ROLLBACK"

    private func commit() async throws {
        guard isOpen else { throw PostgresError(.connectionLost, sql: Self.commit.text) }
        var statements = queue
        queue.removeAll(keepingCapacity: true)
        switch transaction {
        case .none:
            throw PostgresError(.misuse("COMMIT outside a transaction"))
        case .pending(let begin):
            if statements.isEmpty {
                transaction = .none
                return
            }
            statements.insert(begin, at: 0)
        case .open:
            if serverStatus == PQTRANS_INERROR {
                await abandonTransaction()
                throw PostgresError(.transactionAborted, sql: Self.commit.text)
            }
        }
        let command: String
        do {
            command = try await roundTrip(statements + [Self.commit], losing: .outcomeUnknown).command
        } catch {
            if error.planIsStale { self.statements.removeAll() }
            await abandonTransaction()
            throw error.error
        }
        transaction = .none
        guard command == "COMMIT" else {
            throw PostgresError(.transactionAborted, sql: Self.commit.text)
        }
        try checkStandby(Self.commit)
    }

    /// Ends the transaction without a trace; a connection on which that fails is closed.
    func abandonTransaction() async {
        do {
            try await rollBack()
        } catch {
            close()
        }
    }

    func rollBack() async throws(RoundTripFailure) {
        queue.removeAll()
        transaction = .none
        guard isOpen, serverStatus != PQTRANS_IDLE else { return }
        _ = try await roundTrip([Self.rollback], losing: .connectionLost)
        if serverStatus != PQTRANS_IDLE { close() }
    }

    /// Sends what waits for the next statement now.
    private func flushQueue() async throws {
        var waiting = queue
        queue.removeAll(keepingCapacity: true)
        if case .pending(let begin) = transaction { waiting.insert(begin, at: 0) }
        guard !waiting.isEmpty else { return }
        defer { if isOpen, isInTransaction, serverStatus != PQTRANS_IDLE { transaction = .open } }
        do {
            _ = try await roundTrip(waiting, losing: .connectionLost)
        } catch {
            throw error.error
        }
    }

    /// Runs a text of any number of statements, without parameters or results: for migrations.
    ///
    /// Outside a transaction all of them are one. Transaction control in the text is `misuse`, and so are other tasks'
    /// statements under way.
    public func script(_ text: String) async throws {
        guard !text.utf8.contains(0) else {
            throw PostgresError(.misuse("NUL in a script"), sql: text)
        }
        try await flushQueue()
        do {
            try await simple(text, losing: isInTransaction ? .connectionLost : .outcomeUnknown)
        } catch {
            if isOpen { try checkTransactionControl(text) }
            throw error.error
        }
        if !isInTransaction { try checkStandby(SQL(stringLiteral: text)) }
        try checkTransactionControl(text)
    }

    /// Runs a text by the simple protocol, which knows no pipeline.
    private func simple(_ text: String, losing: PostgresError.Kind) async throws(RoundTripFailure) {
        while let last = underWay.last {
            guard last.isUnattended else {
                throw RoundTripFailure(
                    error: PostgresError(.misuse("a script while other statements are under way"), sql: text))
            }
            _ = try? await last.end()
        }
        guard let open = unsafe handle else { throw lost(.connectionLost, text) }
        notices.standbyWaitWasCancelled = false
        guard unsafe PQexitPipelineMode(open) == 1, unsafe PQsendQuery(open, text) == 1 else {
            throw lost(losing, text)
        }
        let trip = RoundTrip(
            [SentCommand(text: text, purpose: .execute(isNew: true))], losing: losing,
            endsWithoutSync: true)
        expect(trip)
        let failure: RoundTripFailure?
        do {
            _ = try await trip.end()
            failure = nil
        } catch {
            failure = error
        }
        if let open = unsafe handle, unsafe PQenterPipelineMode(open) != 1 { throw lost(losing, text) }
        if let failure { throw failure }
    }
}
