import BabyBasicsAPI
public import Curl
import EventLoop
import Logging
import Postgres
import Synchronization

/// Hands pushes over, any number at once. Both closures are called on its own thread.
public protocol PushTransport: Sendable {
    func send(
        _ make: @escaping @Sendable () -> OutgoingRequest?, _ done: @escaping @Sendable (OutgoingResult) -> Void)
    func close()
}

extension OutgoingClient: PushTransport {}

/// Sends the pushes that wait: each is claimed, handed to its push service, and removed.
///
/// Any number of workers do so at once. Each push service has its own number of pushes under way, so that one which hangs holds up its own
/// alone. What a push service did not take stays, and is tried again while it is true.
public final class PushSender: Sendable {
    private struct State {
        /// Of each service.
        var underWay: [String: Int] = [:]
        var settled: [SettledPush] = []
        /// Why pushes of a service were not taken, since the log was told last.
        var failures: [String: Int] = [:]
        var countedAt: UInt64 = 0
        /// Who waits until nothing is under way.
        var leaving: SuspendedTask?
    }

    private struct Finished: Sendable {
        let push: WaitingPush
        let result: OutgoingResult
    }

    /// Pushes to one service that are under way at once, of one worker.
    private static let most = 128

    let delivery: Delivery
    private let configuration: PushConfiguration
    private let pool: Pool
    private let metrics: PushMetrics
    private let clock: any Clock
    private let logger: Logger
    private let transport: any PushTransport
    private let webPush: WebPush
    private let apns: APNs?
    private let state: LoopBound<State>
    /// What the transport's thread has yet to hand over.
    private let finished = Mutex<[Finished]>([])

    init(
        _ configuration: PushConfiguration, _ pool: Pool, _ metrics: PushMetrics, _ clock: any Clock, _ logger: Logger,
        transport: (@Sendable () -> any PushTransport)?
    ) {
        self.configuration = configuration
        self.pool = pool
        self.metrics = metrics
        self.clock = clock
        self.logger = logger
        delivery = Delivery(on: pool.loop)
        self.transport = transport?() ?? OutgoingClient()
        let tokens = PushTokens()
        webPush = WebPush(configuration: configuration, tokens: tokens)
        apns = configuration.apns.map {
            APNs(configuration: $0, authorities: configuration.authorities, tokens: tokens)
        }
        state = LoopBound(State(), on: pool.loop)
    }

    /// There may be something to send: a transaction that inserts pushes has been committed. On the loop.
    func wake() { delivery.wake() }

    /// On the loop, until it is closed.
    func run() async { await delivery.run { await self.step() } }

    /// Ends what `run` began, and waits some seconds for what is under way. On the loop.
    func close() async {
        await delivery.close()
        if isBusy {
            let timer = pool.loop.after(.seconds(5)) { [state] in state.value.leaving.take()?.resume() }
            await suspend { state.value.leaving = $0 }
            timer.cancel()
        }
        takeFinished()
        _ = try? await settle()
        transport.close()
    }

    private var isBusy: Bool { state.value.underWay.values.contains { $0 > 0 } }

    /// Writes down what has come of pushes, and sends as many others as there is room for.
    func step() async -> Delivery.Step {
        do {
            takeFinished()
            let hasSettled = try await settle()
            let claimed = try await claim()
            for push in claimed { send(push) }
            if hasSettled || !claimed.isEmpty { return .done }
            try await countWaiting()
        } catch {
            logger.warning("pushes wait for the database", metadata: ["reason": "\(loggable(error))"])
        }
        return .idle
    }

    private func claim() async throws -> [WaitingPush] {
        let room = configuration.services.map { ($0, Self.most - state.value.underWay[$0, default: 0]) }.filter {
            $0.1 > 0
        }
        guard !room.isEmpty else { return [] }
        return try await Database(pool).change(WaitingPush.claim(room, at: sharedClock, now: clock.now())) {
            try WaitingPush(&$0)
        }
    }

    private func send(_ push: WaitingPush) {
        guard push.isTrue else {
            (push.claim.attempts > 1 ? metrics.givenUp : metrics.dropped).add()
            return state.value.settled.append(SettledPush(push, .removed))
        }
        if let quietUntil = push.quietUntil {
            return state.value.settled.append(SettledPush(push, .postponed(by: quietUntil.since(clock.now()))))
        }
        if push.pushKey.map({ configuration.key($0) == nil }) ?? false {
            // A worker that started earlier or later may have it, while keys change.
            metrics.failed.add()
            return state.value.settled.append(SettledPush(push, .postponed(by: push.claim.pushDelay)))
        }
        let isApple = push.environment != nil
        guard let make = isApple ? apns?.prepare(push, at: clock.now()) : webPush.prepare(push, at: clock.now()) else {
            metrics.devicesGone.add()
            return state.value.settled.append(SettledPush(push, .deviceGone))
        }
        state.value.underWay[push.service, default: 0] += 1
        transport.send(make) { [self] result in
            let isFirst = finished.withLock {
                $0.append(Finished(push: push, result: result))
                return $0.count == 1
            }
            if isFirst { pool.loop.task { self.hear() } }
        }
    }

    private func hear() {
        delivery.wake()
        guard delivery.isClosed else { return }
        takeFinished()
        if !isBusy { state.value.leaving.take()?.resume() }
    }

    private func takeFinished() {
        let taken = finished.withLock { finished in
            defer { finished.removeAll(keepingCapacity: true) }
            return finished
        }
        for one in taken {
            state.value.underWay[one.push.service, default: 1] -= 1
            state.value.settled.append(SettledPush(one.push, fate(of: one)))
        }
    }

    private func fate(of one: Finished) -> SettledPush.Fate {
        let push = one.push
        let answer = (push.environment == nil ? nil : apns?.answer(one.result)) ?? PushAnswer(one.result)
        switch answer {
        case .taken:
            metrics.sent.add()
            return .removed
        case .deviceGone:
            metrics.devicesGone.add()
            return .deviceGone
        case .refused(let reason):
            metrics.refused.add()
            state.value.failures["\(push.service): \(reason)", default: 0] += 1
            return .removed
        case .later(let reason, let after):
            metrics.failed.add()
            state.value.failures["\(push.service): \(reason)", default: 0] += 1
            let delay = max(push.claim.pushDelay, after ?? .zero)
            guard clock.now().adding(delay) < push.message.expiresAt else {
                metrics.givenUp.add()
                return .removed
            }
            return .postponed(by: delay)
        }
    }

    /// - Returns: whether there was anything to write down. What cannot be written now is kept.
    private func settle() async throws -> Bool {
        for (reason, count) in state.value.failures {
            logger.warning("pushes were not taken", metadata: ["reason": "\(reason)", "count": "\(count)"])
        }
        state.value.failures = [:]
        // Taken at once: who closes does the same while this waits.
        let settled = state.value.settled
        guard !settled.isEmpty else { return false }
        state.value.settled = []
        do {
            let database = Database(pool)
            let gone = settled.filter { $0.fate == .deviceGone }
            if !gone.isEmpty { try await database.execute(SettledPush.removal(of: gone)) }
            try await database.execute(SettledPush.settle(settled, at: sharedClock))
        } catch {
            state.value.settled += settled
            throw error
        }
        return true
    }

    /// At most as often as somebody reads it.
    private func countWaiting() async throws {
        guard Monotonic.now >= state.value.countedAt + 10_000_000_000 else { return }
        state.value.countedAt = Monotonic.now
        let waiting = try await Database(pool).first(
            "select count(*) from pushes where due_at <= \(fragment: sharedClock)"
        ) { try $0.next(Int64.self) }
        metrics.waiting.store(Int(waiting ?? 0), ordering: .relaxed)
    }

    private var sharedClock: SQL {
        "(clock_timestamp() + \(clock.offset.microseconds) * interval '1 microsecond')"
    }
}
