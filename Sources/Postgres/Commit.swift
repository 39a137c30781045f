import CLibPQ

/// How a transaction ends.
extension Connection {
    private static let commit: SQL = "COMMIT"

    func commit() throws {
        guard isOpen else { throw PostgresError(.connectionLost, sql: Self.commit.text) }
        let queued = queue
        queue.removeAll(keepingCapacity: true)
        var begin: SQL?
        switch transaction {
        case .none:
            throw PostgresError(.misuse("COMMIT outside a transaction"))
        case .pending(let statement):
            if queued.isEmpty {
                transaction = .none
                return
            }
            begin = statement
        case .open:
            if serverStatus == PQTRANS_INERROR {
                abandonTransaction()
                throw PostgresError(.transactionAborted, sql: Self.commit.text)
            }
        }
        let command: String
        do {
            command = try exchange(
                begin: begin, queued: queued, last: Self.commit, losing: .outcomeUnknown
            ).command
        } catch {
            if error.planIsStale {
                statements.removeAll()
                statementsAreStale = true
            }
            abandonTransaction()
            throw error.error
        }
        transaction = .none
        guard command == "COMMIT" else {
            throw PostgresError(.transactionAborted, sql: Self.commit.text)
        }
        try checkStandby(Self.commit)
    }

    /// Ends the transaction without a trace; a connection on which that fails is closed.
    func abandonTransaction() {
        do {
            try rollBack()
        } catch {
            close()
        }
    }

    func rollBack() throws(ExchangeFailure) {
        queue.removeAll()
        transaction = .none
        guard isOpen, serverStatus != PQTRANS_IDLE else { return }
        try simple("ROLLBACK", losing: .connectionLost)
        if serverStatus != PQTRANS_IDLE { close() }
    }

    /// Sends what waits for the next statement now.
    func flush() throws {
        var waiting = queue
        queue.removeAll(keepingCapacity: true)
        if case .pending(let begin) = transaction { waiting.insert(begin, at: 0) }
        guard let last = waiting.popLast() else { return }
        defer { if isOpen, isInTransaction, serverStatus != PQTRANS_IDLE { transaction = .open } }
        do {
            _ = try exchange(begin: nil, queued: waiting, last: last, losing: .connectionLost)
        } catch {
            throw error.error
        }
    }

    func script(_ text: String) throws {
        guard !text.utf8.contains(0) else {
            throw PostgresError(.misuse("NUL in a script"), sql: text)
        }
        try flush()
        do {
            try simple(text, losing: isInTransaction ? .connectionLost : .outcomeUnknown)
        } catch {
            if isOpen { try checkTransactionControl(text) }
            throw error.error
        }
        if !isInTransaction {
            try checkStandby(SQL(stringLiteral: text))
        }
        try checkTransactionControl(text)
    }
}
