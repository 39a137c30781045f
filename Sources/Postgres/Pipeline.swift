import Synchronization

/// One session with the statements that are under way on it.
final class Pipeline: Sendable {
    enum Transactions {
        /// Each statement is one, also where several are sent as one.
        case own
        /// Those that are sent together are one.
        case shared
    }

    /// How long a group waits for a lock. Less than PostgreSQL's `deadlock_timeout`, so that a group, which locks rows of several families,
    /// is what gives way; and short, as it makes strangers wait.
    private static let lockTimeout: SQL = "select set_config('lock_timeout', '20ms', true)"

    private struct State: ~Copyable {
        /// As long as anything is under way.
        var lease: Lease?
        /// Those without an answer, as they were sent.
        var line: [PipelinedStatement] = []
        /// Those that go when all of these are answered. There is none unless one is under way.
        var next: [PipelinedStatement] = []
    }

    private let pool: Pool
    private let transactions: Transactions
    private let depth: Int
    private let state = Mutex(State())
    private let count = Atomic(0)

    /// - Parameter depth: the most that wait to go together.
    init(_ pool: Pool, _ transactions: Transactions, depth: Int) {
        self.pool = pool
        self.transactions = transactions
        self.depth = depth
    }

    /// Statements under way, and those that wait for them.
    var length: Int { count.load(ordering: .relaxed) }

    /// Nil where there is no room, or another thread waits for an answer.
    func send(_ statement: SQL, after prelude: SQL?) -> PipelinedStatement? {
        state.withLockIfAvailable { state in
            if state.line.isEmpty { state.lease = pool.checkoutIdle() }
            defer { settle(&state) }
            guard let connection = try? state.lease?.session.live(), connection.isOpen,
                state.next.count < depth
            else { return nil }
            let one = PipelinedStatement(statement, after: prelude, on: self)
            if state.line.isEmpty {
                guard dispatch([one], connection, isFirst: true) else { return nil }
                state.line = [one]
            } else {
                state.next.append(one)
            }
            one.descriptor = connection.awaited
            return one
        } ?? nil
    }

    func hasAnswered(_ statement: PipelinedStatement) -> Bool {
        state.withLockIfAvailable { state in
            if statement.isAwaited, let connection = try? state.lease?.session.live() {
                connection.takeIn()
                while statement.isAwaited, !connection.isBusy { receive(&state, connection) }
            }
            return !statement.isAwaited
        } ?? false
    }

    func wait(for statement: PipelinedStatement) {
        state.withLock { state in
            while statement.isAwaited, let connection = try? state.lease?.session.live() {
                receive(&state, connection)
            }
        }
    }

    /// Sends a group: what is one transaction, or one statement. Returns false where nothing of it can have been done: without its Sync nothing is.
    private func dispatch(
        _ group: [PipelinedStatement], _ connection: Connection, isFirst: Bool
    ) -> Bool {
        let preludes = group.compactMap(\.prelude)
        var statements = group.map(\.statement)
        if isMany(group[...]) {
            guard let many = SQL.many(statements) else { return false }
            statements = [many]
        }
        let last = statements.removeLast()
        if transactions == .shared { statements.insert(Self.lockTimeout, at: 0) }
        do {
            if isFirst {
                for statement in preludes { try connection.makeRoom(for: statement) }
                for statement in statements { try connection.makeRoom(for: statement) }
                try connection.makeRoom(for: last)
            } else if !connection.hasRoom(for: last) {
                return false
            }
            _ = try connection.dispatch(
                preludes: preludes, queued: statements, last: last, losing: .connectionLost)
        } catch {
            return false
        }
        group[group.count - 1].commands = connection.sent
        return true
    }

    /// Waits for what becomes of the first group of the line.
    private func receive(_ state: inout State, _ connection: Connection) {
        guard let last = state.line.firstIndex(where: { !$0.commands.isEmpty }) else { return }
        let group = state.line[...last]
        state.line.removeFirst(group.count)
        do {
            try receive(group, connection)
            for one in group where one.isAwaited { one.end() }
        } catch {
            end(group, after: error, connection)
        }
        if state.line.isEmpty, !state.next.isEmpty { sendNext(&state, connection) }
        settle(&state)
    }

    private func receive(_ group: ArraySlice<PipelinedStatement>, _ connection: Connection) throws {
        let losing: PostgresError.Kind = transactions == .shared ? .outcomeUnknown : .connectionLost
        var commands = group[group.endIndex - 1].commands[...]
        var isStale = false
        defer { if isStale { connection.close() } }
        for one in group where one.prelude != nil {
            let end = commands.firstIndex(where: \.isExecution) ?? commands.startIndex
            do {
                try connection.receive(commands[...end], losing: losing) { one.takePrelude($0) }
            } catch {
                guard connection.isOpen else { throw error }
                one.end(failing: error.error)
                isStale = isStale || error.planIsStale
            }
            commands = commands[(end + 1)...]
        }
        // In front of a transaction is what is said about its locks.
        var number = group.startIndex - (transactions == .shared ? 1 : 0)
        try connection.receive(commands, losing: losing) { answer in
            if isMany(group) {
                for (one, share) in zip(group, answer.shares(of: group.count) ?? []) {
                    one.take(answer, share: share)
                }
            } else if number >= group.startIndex {
                group[number].take(answer)
            }
            number += 1
        }
        try connection.checkStandby(group[group.startIndex].statement)
    }

    private func end(
        _ group: ArraySlice<PipelinedStatement>, after error: any Error, _ connection: Connection
    ) {
        let failure = (error as? ExchangeFailure)?.error ?? error as? PostgresError
        var unknown: PostgresError?
        if let failure, case .outcomeUnknown = failure.kind { unknown = failure }
        for one in group where one.isAwaited { one.end(failing: unknown) }
        // Those behind one that fails go on alone: after a timeout they would have to wait for theirs, one after the other.
        if transactions == .own || (error as? ExchangeFailure)?.planIsStale == true {
            connection.close()
        }
    }

    private func sendNext(_ state: inout State, _ connection: Connection) {
        let groups = transactions == .shared ? [state.next] : alike(state.next)
        state.next = []
        for group in groups {
            let isFirst = state.line.isEmpty
            if dispatch(group, connection, isFirst: isFirst) {
                state.line += group
            } else if isFirst || !connection.isOpen {
                for one in group { one.end(failing: nil) }
            } else {
                // There is no room for its statement while another is under way.
                state.next += group
            }
        }
    }

    /// Puts those together that can be one statement.
    private func alike(_ statements: [PipelinedStatement]) -> [[PipelinedStatement]] {
        var groups: [[PipelinedStatement]] = []
        for one in statements {
            let text = one.statement.textForMany
            let alike = groups.firstIndex { text != nil && $0[0].statement.textForMany == text }
            if let alike { groups[alike].append(one) } else { groups.append([one]) }
        }
        return groups
    }

    /// Whether a group is sent as one statement.
    private func isMany(_ group: ArraySlice<PipelinedStatement>) -> Bool {
        transactions == .own && group.count > 1
    }

    private func settle(_ state: inout State) {
        count.store(state.line.count + state.next.count, ordering: .relaxed)
        if state.line.isEmpty { state.lease = nil }
    }
}
