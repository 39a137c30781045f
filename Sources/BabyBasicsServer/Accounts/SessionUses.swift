import BabyBasicsAPI
import FastCGI
import FoundationEssentials
import Glibc
import Logging
import Postgres
import Synchronization

/// The sessions that were used, once a minute each, and when: yet to be written down.
///
/// Nobody waits for it. Many are written by one statement, a second later at most, and the disk is not waited for either: a crash may
/// cost it, which only ends a session a little earlier.
final class SessionUses: Sendable {
    private let pool: Pool
    private let logger: Logger
    private let waiting = Mutex<[UUID: Timestamp]>([:])

    init(_ pool: Pool, _ logger: Logger) {
        self.pool = pool
        self.logger = logger
    }

    func note(_ session: Identifier<SignedIn.Session>, at moment: Timestamp) {
        waiting.withLock { $0[session.uuid] = moment }
    }

    func writeEverySecond() throws {
        try DedicatedThread(stackBytes: 512 << 10) {
            while true {
                sleep(1)
                self.write()
            }
        }.detach()
    }

    /// What cannot be written now waits for the next time.
    func write() {
        let uses = waiting.withLock { waiting in
            defer { waiting.removeAll(keepingCapacity: true) }
            return waiting
        }
        if uses.isEmpty { return }
        do {
            _ = try pool.withSession { try $0.execute(Self.statement(uses)) }
        } catch {
            logger.debug("uses of sessions are not written yet", metadata: ["reason": "\(error)"])
            waiting.withLock { $0.merge(uses) { later, _ in later } }
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
}
