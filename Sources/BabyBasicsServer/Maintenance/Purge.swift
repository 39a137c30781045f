public import BabyBasicsAPI
import FoundationEssentials
public import Postgres

/// Removes for good what nobody can ask for any more: events, plans and tombstones deleted over 30 days ago, members whose time is over,
/// expired sessions and tokens, links that were mailed, webhooks' calls beyond the last 50, and what limits went by.
///
/// Every transaction removes at most `batch` rows and holds at most one family's lock, for a few milliseconds. So it can be interrupted
/// at any moment and run again, and several can run at once: what one of them has locked, the others pass over.
public struct Purge {
    /// How long a deleted event can be restored, and a client be away without starting again.
    static let keeping = Duration.seconds(30 * 86_400)

    let connection: Connection
    let now: Timestamp
    let batch: Int

    /// - Parameters:
    ///   - connection: of the owner's or the server's role; in no transaction.
    ///   - batch: rows a transaction, at least 1.
    public init(connection: Connection, now: Timestamp, batch: Int = 1000) {
        self.connection = connection
        self.now = now
        self.batch = batch
    }

    /// The present, by the machine's clock.
    public static var now: Timestamp { SystemClock().now() }

    /// What one run removed, or would remove.
    public struct Report: Equatable, Sendable {
        public var members = 0
        public var events = 0
        public var plans = 0
        public var tombstones = 0
        public var sessions = 0
        public var counters = 0
        /// Links and mails.
        public var mail = 0
        public var pushes = 0
        public var tokens = 0
        public var deliveries = 0
        /// Families that somebody else kept locked: what is due of them waits for the next run.
        public var busyFamilies = 0

        public init() {}
    }

    /// - Throws: `PostgresError`. What was removed until then stays removed.
    public func run() async throws -> Report {
        var report = Report()
        var busy: Set<FamilyID> = []
        report.members = try await removeExpiredMembers(&busy)
        report.events = try await remove(.events, &busy)
        report.plans = try await remove(.plans, &busy)
        report.tombstones = try await removeTombstonesWithoutRevision()
        report.tombstones += try await remove(.tombstones, &busy)
        report.busyFamilies = busy.count
        report.sessions = try await removeSessions()
        report.counters = try await remove(counters)
        report.mail = try await remove(oldMail)
        report.pushes = try await remove(oldPushes)
        report.tokens = try await removeTokens()
        report.deliveries = try await remove(oldDeliveries)
        return report
    }

    /// Counts what `run` would remove, and changes nothing.
    public func rehearse() async throws -> Report {
        var report = Report()
        let deletedBefore = now.adding(.zero - Self.keeping)
        report.members = try await count(Members.table, expiredMembers)
        report.events = try await count("events", "deleted_at < \(deletedBefore)")
        report.plans = try await count("plans", "deleted_at < \(deletedBefore)")
        report.tombstones = try await count("tombstones", "deleted_at < \(deletedBefore)")
        report.sessions = try await count("sessions", "expires_at <= \(now)")
        for counter in counters { report.counters += try await count(counter.table, counter.isOver) }
        for old in oldMail { report.mail += try await count(old.table, old.isOver) }
        for old in oldPushes { report.pushes += try await count(old.table, old.isOver) }
        report.tokens = try await count("tokens", "expires_at <= \(now)")
        for old in oldDeliveries { report.deliveries += try await count(old.table, old.isOver) }
        return report
    }

    private func count(_ table: String, _ condition: SQL) async throws -> Int {
        let count = try await connection.first(
            "select count(*) from \(unescaped: table) where \(fragment: condition)"
        ) { try $0.next(Int64.self) }
        return Int(count ?? 0)
    }

    /// Of what went with something else, or with its whole family, no client needs to be told.
    private func removeTombstonesWithoutRevision() async throws -> Int {
        let isDue: SQL = """
            t.deleted_at < \(now.adding(.zero - Self.keeping))
            and (t.revision is null or not exists (select from families f where f.id = t.family_id))
            """
        return try await repeated {
            let due = try await connection.rows(
                """
                select t.family_id, t.entity_id from tombstones t where \(fragment: isDue) order by t.deleted_at limit \(batch)
                """
            ) { (family: try $0.next(FamilyID.self), id: try $0.next(UUID.self)) }
            var removed = 0
            for (family, rows) in Dictionary(grouping: due, by: \.family) {
                removed += try await connection.execute(
                    """
                    delete from tombstones t
                    where t.family_id = \(family) and t.entity_id = any(\(rows.map(\.id))) and \(fragment: isDue)
                    """)
            }
            return removed
        }
    }

    /// The audit log tells of the end of each session, and of nobody who ended these.
    private func removeSessions() async throws -> Int {
        try await repeated {
            try await connection.execute(
                """
                with gone as (
                    delete from sessions where id = any(\(expired(in: "sessions"))) and expires_at <= \(now) returning id
                )
                insert into audit_logs (entity_type, entity_id, action, changes, created_at)
                select 'session', id, 'delete', '{"expired": true}', \(now) from gone
                """)
        }
    }

    private func removeTokens() async throws -> Int {
        try await repeated {
            try await connection.execute(
                "delete from tokens where id = any(\(expired(in: "tokens"))) and expires_at <= \(now)")
        }
    }

    /// A batch of what is over for longest. Named, so that every copy of a table loses the same rows.
    private func expired(in table: String) async throws -> [UUID] {
        try await connection.rows(
            "select id from \(unescaped: table) where expires_at <= \(now) order by expires_at, id limit \(batch)"
        ) { try $0.next(UUID.self) }
    }

    private func remove(_ tables: [(table: String, isOver: SQL)]) async throws -> Int {
        var removed = 0
        for (table, isOver) in tables {
            removed += try await repeated {
                try await connection.execute(
                    """
                    delete from \(unescaped: table) where ctid = any(array(
                        select ctid from \(unescaped: table) where \(fragment: isOver)
                        limit \(batch) for update skip locked
                    ))
                    """)
            }
        }
        return removed
    }

    /// What limits go by, and after what time it says nothing any more.
    private var counters: [(table: String, isOver: SQL)] {
        // Requests count for a minute. The hosts' clocks may differ by some more.
        let minutesAgo = now.adding(.seconds(-300))
        return [
            ("address_rates", "accepted[cardinality(accepted)] < \(minutesAgo)"),
            ("login_failures", "failed_at < \(now.adding(.seconds(-86_400)))"),
            ("login_places", "seen_at < \(now.adding(.seconds(-56 * 86_400)))"),
            ("mail_rates", "sent[cardinality(sent)] < \(now.adding(.seconds(-2 * 3600)))"),
        ]
    }

    /// Links that open nothing any more, and mails that nobody sends, as since the server was told to send none.
    private var oldMail: [(table: String, isOver: SQL)] {
        [
            ("mailed_links", "expires_at < \(now)"),
            ("mails", "created_at < \(now.adding(.seconds(-3 * 86_400)))"),
        ]
    }

    /// What nobody sends, as since the server was told to push to nobody.
    private var oldPushes: [(table: String, isOver: SQL)] {
        [("pushes", "expires_at < \(now.adding(.seconds(-3600)))")]
    }

    /// Calls that nobody can look at any more.
    private var oldDeliveries: [(table: String, isOver: SQL)] { [("webhook_deliveries", WebhookQueue.isForgotten)] }

    /// Runs a statement of at most `batch` rows until it finds no more. Returns the sum.
    private func repeated(_ statement: () async throws -> Int) async throws -> Int {
        var sum = 0
        while true {
            let removed = try await statement()
            sum += removed
            if removed < batch { return sum }
        }
    }
}
