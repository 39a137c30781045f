import BabyBasicsAPI
import EventLoop
import FoundationEssentials
import Logging
import Postgres

/// The sessions, and the tokens of other programs, that were used, once a minute each, and when: yet to be written down.
///
/// No request waits for it. Many are written by one statement, a second later at most, and the disk is not waited for either: a crash may
/// cost it, which only ends a session a little earlier.
final class SessionTouches: Sendable {
    private let pool: Pool
    private let logger: Logger
    private let waiting: LoopBound<[UUID: Timestamp]>
    /// Of other programs' tokens.
    private let waitingTokens: LoopBound<[UUID: Timestamp]>

    init(_ pool: Pool, _ logger: Logger) {
        self.pool = pool
        self.logger = logger
        waiting = LoopBound([:], on: pool.loop)
        waitingTokens = LoopBound([:], on: pool.loop)
    }

    func note(_ caller: Caller, at moment: Timestamp) {
        if caller.token == nil { return note(caller.sessionID, at: moment) }
        waitingTokens.value[caller.sessionID.uuid] = moment
    }

    func note(_ session: Identifier<SignedIn.Session>, at moment: Timestamp) {
        waiting.value[session.uuid] = moment
    }

    /// Writes for as long as the loop runs.
    func writeEverySecond() async {
        while true {
            await pool.loop.sleep(.seconds(1))
            await write()
        }
    }

    /// What cannot be written now waits for the next time.
    func write() async {
        await write(waiting, pool.hasCitus ? Self.statementForCitus : Self.statement)
        await write(waitingTokens, pool.hasCitus ? ProgramTokens.useForCitus : ProgramTokens.use)
    }

    private func write(_ waiting: LoopBound<[UUID: Timestamp]>, _ statement: ([UUID: Timestamp]) -> SQL) async {
        let uses = waiting.value
        if uses.isEmpty { return }
        waiting.value.removeAll(keepingCapacity: true)
        do {
            var use = DatabaseUse()
            _ = try await pool.execute(statement(uses), adding: &use)
        } catch {
            logger.debug("uses of sessions are not written yet", metadata: ["reason": "\(error)"])
            waiting.value.merge(uses) { later, _ in later }
        }
    }

    /// Whoever is changing a session at the moment is not waited for: it is being ended, or another worker writes the same.
    private static func statement(_ uses: [UUID: Timestamp]) -> SQL {
        let moments = uses.values.map(\.microsecondsSince1970)
        let expiry = SQL(stringLiteral: SessionLifetime.expiry(usedAt: "u.at"))
        return """
            with used as (
                select s.id, u.at, \(fragment: expiry) as expiry
                from unnest(\(Array(uses.keys)), \(moments)) given (id, microseconds)
                cross join lateral (select 'epoch'::timestamptz + microseconds * interval '1 microsecond' as at) u
                join sessions s on s.id = given.id
                where s.last_used_at < u.at or s.expires_at < \(fragment: expiry)
                for no key update of s skip locked
            )
            update sessions s set last_used_at = used.at, expires_at = used.expiry
            from used where s.id = used.id and set_config('synchronous_commit', 'off', true) = 'off'
            """
    }

    /// Citus 13.0 can't read what such a query has locked. What a session's age makes of its end is then seen when it is used.
    private static func statementForCitus(_ uses: [UUID: Timestamp]) -> SQL {
        """
        update sessions s set last_used_at = u.at, expires_at = u.expiry
        from unnest(\(Array(uses.keys)), \(Array(uses.values)), \(uses.values.map { $0.adding(SessionLifetime.idle) }))
            u (id, at, expiry)
        where s.id = u.id and s.last_used_at < u.at
        """
    }
}
