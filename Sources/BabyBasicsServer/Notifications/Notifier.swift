import BabyBasicsAPI
import EventLoop
import Logging
import Postgres
import Synchronization

/// Finds out what people are to be told, and hands it over to be pushed: each row is claimed, and dealt with in one transaction, so that what
/// it says is pushed once, whenever a worker is killed.
final class Notifier: Sendable {
    enum Outcome {
        case told
        /// It was not true any more, or nobody wanted to know.
        case dropped
        /// It is looked at again.
        case waits
        /// Somebody else has it.
        case lost
    }

    let delivery: Delivery
    let metrics: NotificationMetrics
    /// Told that there is something to push.
    private let pushIsDue: @Sendable () -> Void
    private let pool: Pool
    private let clock: any Clock
    private let logger: Logger

    init(
        _ pool: Pool, _ metrics: NotificationMetrics, _ clock: any Clock, _ logger: Logger,
        pushIsDue: @escaping @Sendable () -> Void
    ) {
        delivery = Delivery(on: pool.loop)
        self.pushIsDue = pushIsDue
        self.pool = pool
        self.metrics = metrics
        self.clock = clock
        self.logger = logger
    }

    /// On the loop, until `delivery` is closed.
    func run() async { await delivery.run { await self.step() } }

    /// Deals with one row.
    func step() async -> Delivery.Step {
        do {
            guard let claimed = try await claim() else { return try await rest() }
            await deal(with: claimed)
            return .done
        } catch {
            logger.warning("notifications wait for the database", metadata: ["reason": "\(loggable(error))"])
            return .idle
        }
    }

    /// What fails is free again after a minute, and holds up no other.
    private func deal(with claimed: ClaimedNotification) async {
        do {
            switch try await tell(claimed) {
            case .told:
                metrics.told.add()
                pushIsDue()
            case .dropped: metrics.dropped.add()
            case .waits, .lost: break
            }
        } catch {
            metrics.failed.add()
            logger.warning("a notification waits", metadata: ["reason": "\(loggable(error))"])
        }
    }

    private func tell(_ claimed: ClaimedNotification) async throws -> Outcome {
        let database = Database(pool)
        return switch claimed.kind {
        case .changed: try await database.tellChanges(claimed, at: sharedClock)
        case .deferred: try await database.tellDeferred(claimed, at: sharedClock)
        case .reminder: try await database.remind(claimed, at: sharedClock)
        case .joined, .left, .removed, .accessEnded: try await database.tellMembers(claimed, at: sharedClock)
        // What a newer release writes is for its own workers.
        case nil: .waits
        }
    }

    private func claim() async throws -> ClaimedNotification? {
        let claim = ClaimedNotification.rows.claim(ClaimedNotification.columns, at: sharedClock)
        return try await Database(pool).change(claim) { try ClaimedNotification(&$0) }.first
    }

    /// Nothing is due: until when.
    private func rest() async throws -> Delivery.Step {
        let waiting = try await Database(pool).first(
            """
            select (select count(*) from notifications where due_at <= \(fragment: sharedClock)),
                (select (extract(epoch from min(due_at) - \(fragment: sharedClock)) * 1000)::int8 from notifications)
            """
        ) { (late: try $0.next(Int64.self), next: try $0.next(Int64?.self)) }
        metrics.waiting.store(Int(waiting?.late ?? 0), ordering: .relaxed)
        return waiting?.next.map { .idleFor(.milliseconds(max(100, $0))) } ?? .idle
    }

    private var sharedClock: SQL {
        "(clock_timestamp() + \(clock.offset.microseconds) * interval '1 microsecond')"
    }
}
