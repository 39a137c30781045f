import Synchronization

/// Statements of several requests on their way over few sessions of a pool, one behind the other.
///
/// A server process that finds the next statement when it is done with one need not sleep and be woken for it, and several answers come
/// in one piece. Each statement is a transaction of its own, as if it had a session of its own. It has to wait for those before it, so this
/// is for statements that take little time and no lock that may be kept for long; and for those that may be run again, as what becomes of
/// one that fails is not told.
public final class Pipelines: Sendable {
    private let pool: Pool
    private let lines: [Pipeline]

    /// - Parameters:
    ///   - sessions: of the pool's, how many are used so at the same time; never its last one.
    ///   - depth: the most statements under way on each.
    public init(_ pool: Pool, sessions: Int = 2, depth: Int = 16) {
        self.pool = pool
        let count = min(sessions, pool.statistics.maximum - 1)
        lines = (0..<max(0, count)).map { _ in Pipeline(pool, depth: depth) }
    }

    /// Sends a statement without waiting.
    ///
    /// - Returns: nil where there is no session at hand for it, or no room.
    public func send(_ statement: SQL) -> PipelinedStatement? {
        for line in lines.sorted(by: { $0.length < $1.length }) {
            if let sent = line.send(statement) { return sent }
        }
        return nil
    }
}

/// A statement that `Pipelines` has sent. Its answer is for one thread.
///
/// Unchecked because what changes in it does so under its pipeline's lock.
public final class PipelinedStatement: @unchecked Sendable {
    /// Becomes readable when an answer comes, this statement's or one's before it; nil where some of what was sent has yet to go.
    public let descriptor: CInt?
    let text: String
    let commands: [SentCommand]
    private let pipeline: Pipeline
    private let since: UInt64
    private(set) var isAwaited = true
    /// Nil also where it has failed.
    private var answer: QueryResult?
    /// What it has cost; known with its answer.
    public private(set) var use = SessionUse()

    init(_ text: String, on pipeline: Pipeline, over connection: Connection, since: UInt64) {
        self.text = text
        self.pipeline = pipeline
        self.since = since
        descriptor = connection.awaited
        commands = connection.sent
    }

    /// Whether its rows can be read without waiting, as far as that can be told without waiting.
    public var isHere: Bool { pipeline.hasAnswered(self) }

    /// Waits for its rows and reads them, once.
    ///
    /// - Returns: nil where it has failed, or one before it: then it is to be run on a session of its own, which tells.
    /// - Throws: what `make` throws.
    public func rows<Value>(_ make: (inout Row) throws -> Value) throws -> [Value]? {
        pipeline.wait(for: self)
        guard let answer = answer.take() else { return nil }
        var row = Row(answer, sql: text)
        var values: [Value] = []
        while row.advance() { values.append(try make(&row)) }
        return values
    }

    func end(with answer: consuming QueryResult?) {
        use.countRoundTrip(since: since)
        self.answer = answer
        isAwaited = false
    }
}

/// One session with the statements that are under way on it.
final class Pipeline: Sendable {
    private struct State: ~Copyable {
        /// As long as anything is under way.
        var lease: Lease?
        /// Those without an answer, as they were sent.
        var line: [PipelinedStatement] = []
    }

    private let pool: Pool
    private let depth: Int
    private let state = Mutex(State())
    private let count = Atomic(0)

    init(_ pool: Pool, depth: Int) {
        self.pool = pool
        self.depth = depth
    }

    /// Statements under way.
    var length: Int { count.load(ordering: .relaxed) }

    /// Nil where there is no room, or another thread waits for an answer.
    func send(_ statement: SQL) -> PipelinedStatement? {
        guard length < depth else { return nil }
        return state.withLockIfAvailable { state in
            if state.line.isEmpty { state.lease = pool.checkoutIdle() }
            defer { settle(&state) }
            guard let connection = try? state.lease?.session.live() else { return nil }
            let start = Monotonic.now
            do {
                if state.line.isEmpty {
                    try connection.makeRoom(for: statement)
                } else if !connection.hasRoom(for: statement) {
                    return nil
                }
                _ = try connection.dispatch(
                    prelude: nil, begin: nil, queued: [], last: statement, losing: .connectionLost)
            } catch {
                return nil
            }
            let sent = PipelinedStatement(
                statement.text, on: self, over: connection, since: start)
            state.line.append(sent)
            return sent
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

    /// Waits for the answer to the first of the line, which goes then.
    private func receive(_ state: inout State, _ connection: Connection) {
        let first = state.line.removeFirst()
        do {
            first.end(
                with: try connection.receive(first.commands[...], losing: .connectionLost))
        } catch {
            first.end(with: nil)
            // Those behind it go on alone: after a timeout they would have to wait for theirs, one after the other.
            connection.close()
        }
        settle(&state)
    }

    private func settle(_ state: inout State) {
        count.store(state.line.count, ordering: .relaxed)
        if state.line.isEmpty { state.lease = nil }
    }
}
