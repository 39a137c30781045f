import Synchronization

/// Statements of several requests on their way over few sessions of a pool, one behind the other.
///
/// A server process that finds the next statement when it is done with one need not sleep and be woken for it, and several answers come
/// in one piece. Each has to wait for those before it, so this is for statements that take little time and no lock that is kept for long.
public final class Pipelines: Sendable {
    private let lines: [Pipeline]
    /// A single one, so that no group waits for another's locks.
    private let group: Pipeline?

    /// - Parameters:
    ///   - sessions: of the pool's, how many are used by `send` at the same time. There is another for `sendInGroup`, but neither takes the
    ///     pool's last one.
    ///   - depth: the most that wait on each while others are under way.
    public init(_ pool: Pool, sessions: Int = 2, depth: Int = 16) {
        let spare = pool.statistics.maximum - 1
        let count = min(sessions, spare)
        lines = (0..<count).map { _ in Pipeline(pool, .own, depth: depth) }
        group = spare > count ? Pipeline(pool, .shared, depth: depth) : nil
    }

    /// Sends a statement without waiting. It is a transaction of its own, as if it had a session of its own. As what becomes of one that
    /// fails is not told, it must be one that may be run again.
    ///
    /// Those that come while others are under way on all sessions go when these are done, and such as differ in their values alone go as
    /// one, if their template allows it (`SQLTemplate.init(unescaped:mayBeMany:)`): to begin a statement costs PostgreSQL more than to find
    /// a few rows.
    ///
    /// - Returns: nil where there is no session at hand for it, or no room.
    public func send(_ statement: SQL) -> PipelinedStatement? {
        let shortest = lines.min { $0.length < $1.length }
        if let sent = shortest?.send(statement, after: nil) { return sent }
        for line in lines where line !== shortest {
            if let sent = line.send(statement, after: nil) { return sent }
        }
        return nil
    }

    /// Sends a change without waiting, in one transaction with others that come at the same time: group commit. Whoever comes while one
    /// such transaction is under way belongs to the next, so that many changes need one flush of the log.
    ///
    /// Where one fails, nothing of its group is done. None waits for a lock for longer than 20 ms.
    ///
    /// - Parameter prelude: travels ahead of the group, but is a transaction of its own: what it did stays done when the rest fails.
    /// - Returns: nil where there is no session at hand for it, or no room.
    public func sendInGroup(_ statement: SQL, after prelude: SQL? = nil) -> PipelinedStatement? {
        group?.send(statement, after: prelude)
    }
}

/// A statement that `Pipelines` has sent. Its answer is for one thread.
///
/// Unchecked because what changes in it does so under its pipeline's lock.
public final class PipelinedStatement: @unchecked Sendable {
    /// Becomes readable when an answer comes, this statement's or one's before it; nil where some of what was sent has yet to go.
    public internal(set) var descriptor: CInt?
    let statement: SQL
    let prelude: SQL?
    /// What was sent with it as the last of its transaction; empty for one that others of its group are behind.
    var commands: [SentCommand] = []
    private let pipeline: Pipeline
    private let since: UInt64
    private(set) var isAwaited = true
    private var preludeAnswer: QueryResult?
    /// Whether the prelude need not be run again.
    public private(set) var hasPrelude = false
    /// Nil also where it has failed.
    private var answer: (result: QueryResult, share: Range<Int32>?)?
    private var failure: PostgresError?
    /// What it has cost; known with its answer.
    public private(set) var use = SessionUse()

    init(_ statement: SQL, after prelude: SQL?, on pipeline: Pipeline) {
        self.statement = statement
        self.prelude = prelude
        self.pipeline = pipeline
        since = Monotonic.now
    }

    /// Whether its rows can be read without waiting, as far as that can be told without waiting.
    public var isHere: Bool { pipeline.hasAnswered(self) }

    /// Waits for its rows and reads them, once.
    ///
    /// - Parameter reading: gets the prelude's first row, also when the rest has failed.
    /// - Returns: nil where nothing of it was done but its prelude, because it has failed or one that it went with: then it is to be run on
    ///   a session of its own, which tells.
    /// - Throws: `outcomeUnknown` for a change that may have been done or not; what has become of the prelude; what `make` throws.
    @inlinable
    public func rows<Value>(
        reading: (inout Row) throws -> Void = { _ in }, _ make: (inout Row) throws -> Value
    ) throws -> [Value]? {
        var values: [Value] = []
        let isDone = try forEachRow(reading: reading) { values.append(try make(&$0)) }
        return isDone ? values : nil
    }

    /// The same for one row after the other; false where nothing was done.
    @usableFromInline
    func forEachRow(
        reading: (inout Row) throws -> Void, _ body: (inout Row) throws -> Void
    ) throws -> Bool {
        pipeline.wait(for: self)
        if let first = preludeAnswer.take() {
            var row = Row(first, sql: prelude?.text ?? "")
            if row.advance() { try reading(&row) }
        }
        if let failure { throw failure }
        guard let answer = answer.take() else { return false }
        var row = Row(answer.result, share: answer.share, sql: statement.text)
        while row.advance() { try body(&row) }
        return true
    }

    func takePrelude(_ answer: QueryResult) {
        preludeAnswer = answer
        hasPrelude = true
    }

    /// It counts with `end`.
    func take(_ result: QueryResult, share: Range<Int32>? = nil) { answer = (result, share) }

    func end() {
        use.countRoundTrip(since: since)
        isAwaited = false
    }

    /// - Parameter failure: nil where nothing was done but the prelude.
    func end(failing failure: PostgresError?) {
        answer = nil
        self.failure = failure
        end()
    }
}
