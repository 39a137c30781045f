import BabyBasicsAPI
import Curl
import EventLoop
import Logging
import Postgres
import Synchronization

/// Calls the webhooks for which something waits. Each is claimed, and called with one thing after another, so that they
/// come in order; any number of them at once, so that one which hangs holds up itself alone.
///
/// Any number of workers do so. What was not taken stays, under its identifier, and is tried again.
public final class WebhookCaller: Sendable {
    private struct State {
        var underWay = 0
        /// Who waits until nothing is under way.
        var leaving: SuspendedTask?
    }

    /// Webhooks that one worker calls at once.
    private static let most = 128
    /// How many calls are read at once.
    private static let page = Int64(20)

    let delivery: Delivery
    private let reach: Reach
    private let pool: Pool
    private let metrics: WebhookMetrics
    private let clock: any Clock
    private let logger: Logger
    private let transport: any OutgoingTransport
    private let ending: WebhookEnding
    private let turn: Duration
    private let state: LoopBound<State>

    /// - Parameter turn: how long a webhook is called before others come first.
    init(
        _ configuration: ServerConfiguration, _ pool: Pool, _ metrics: WebhookMetrics, _ clock: any Clock,
        _ logger: Logger, transport: (@Sendable () -> any OutgoingTransport)?, ending: WebhookEnding,
        turn: Duration = .seconds(10)
    ) {
        delivery = Delivery(on: pool.loop)
        reach = configuration.webhooks.reach
        self.pool = pool
        self.metrics = metrics
        self.clock = clock
        self.logger = logger
        self.transport = transport?() ?? OutgoingClient(timeLimit: .seconds(10), connections: 16)
        self.ending = ending
        self.turn = turn
        state = LoopBound(State(), on: pool.loop)
    }

    /// There may be something to call with: a transaction that inserts deliveries has been committed. On the loop.
    func wake() { delivery.wake() }

    /// On the loop, until it is closed.
    func run() async { await delivery.run { await self.step() } }

    /// Ends what `run` began, and waits some seconds for what is under way. On the loop.
    func close() async {
        await delivery.close()
        await settle(for: .seconds(5))
        transport.close()
    }

    /// Waits until nothing is under way.
    func settle(for limit: Duration) async {
        guard state.value.underWay > 0 else { return }
        let timer = pool.loop.after(limit) { [state] in state.value.leaving.take()?.resume() }
        await suspend { state.value.leaving = $0 }
        timer.cancel()
    }

    /// Begins to call as many webhooks as there is room for.
    func step() async -> Delivery.Step {
        let room = Self.most - state.value.underWay
        do {
            guard room > 0 else {
                _ = try await rest()
                return .idle
            }
            let claimed = try await Database(pool).change(ClaimedWebhook.claim(atMost: room, at: sharedClock)) {
                try ClaimedWebhook(&$0)
            }
            for webhook in claimed { begin(webhook) }
            return claimed.isEmpty ? try await rest() : .done
        } catch {
            logger.warning("webhooks wait for the database", metadata: ["reason": "\(loggable(error))"])
            return .idle
        }
    }

    private func begin(_ webhook: ClaimedWebhook) {
        state.value.underWay += 1
        pool.loop.task { [self] in
            do {
                try await call(webhook)
            } catch {
                // It is free again after a minute.
                logger.warning("a webhook waits", metadata: ["reason": "\(loggable(error))"])
            }
            state.value.underWay -= 1
            // What came while it was called found it claimed.
            delivery.wake()
            if state.value.underWay == 0 { state.value.leaving.take()?.resume() }
        }
    }

    /// Calls a webhook with all that waits, as long as it takes it and its turn lasts: once at least.
    private func call(_ webhook: ClaimedWebhook) async throws {
        let end = Monotonic.now + UInt64(turn / .nanoseconds(1))
        while true {
            let (calls, isAll) = try await calls(of: webhook)
            for call in calls {
                if delivery.isClosed { return try await settle(webhook.release(at: sharedClock)) }
                guard try await make(call, to: webhook) else { return }
                if Monotonic.now >= end { return try await settle(webhook.release(at: sharedClock)) }
            }
            // What only a newer release knows is for its workers.
            if !isAll { return try await settle(webhook.release(after: .seconds(60), at: sharedClock)) }
            if calls.isEmpty { return try await settle(webhook.release(at: sharedClock)) }
        }
    }

    /// - Returns: whether the next may be made.
    private func make(_ call: WebhookCall, to webhook: ClaimedWebhook) async throws -> Bool {
        let result = await send(call, to: webhook)
        if case .answered(let answer) = result, (200..<300).contains(answer.status) {
            metrics.delivered.add()
            let statement = webhook.delivered(call, status: answer.status, at: sharedClock)
            return try await persist { try await Database(self.pool).change(statement) { try $0.next(Bool.self) } } == [
                true
            ]
        }
        metrics.failed.add()
        let failure = WebhookFailure(result)
        guard let delay = call.delay else {
            guard try await ending.turnOff(webhook, after: call, failure, at: sharedClock) else { return false }
            metrics.turnedOff.add()
            logger.warning("a webhook was turned off", metadata: ["reason": "\(failure.text)"])
            return false
        }
        logger.info(
            "a webhook did not take a call", metadata: ["reason": "\(failure.text)", "attempt": "\(call.attempts + 1)"])
        try await settle(webhook.failed(call, failure, retryAfter: delay, at: sharedClock))
        return false
    }

    private func send(_ call: WebhookCall, to webhook: ClaimedWebhook) async -> OutgoingResult {
        let (id, seconds) = (call.id.description, clock.now().seconds)
        let request: @Sendable () -> OutgoingRequest? = { [reach] in
            let body = call.body(of: webhook)
            return OutgoingRequest(
                url: webhook.url,
                headers: [
                    ("Content-Type", "application/json"), ("User-Agent", "BabyBasics"), ("webhook-id", id),
                    ("webhook-timestamp", "\(seconds)"),
                    ("webhook-signature", webhook.secret.signature(of: body, id: id, at: seconds)),
                ],
                body: body, reach: reach)
        }
        let answer = Answer()
        await suspend { task in
            transport.send(request) { result in
                answer.result.withLock { $0 = result }
                task.resume()
            }
        }
        return answer.result.withLock { $0 } ?? .failed(reason: "closed")
    }

    /// What waits for a webhook, and whether this release knows all of it.
    private func calls(of webhook: ClaimedWebhook) async throws -> (calls: [WebhookCall], isAll: Bool) {
        let database = Database(pool)
        let found = try await database.rows(webhook.calls(atMost: Self.page)) { try WebhookCall(&$0) }
        let known = found.prefix { $0 != nil }.compactMap { $0 }
        var events = known.map(\.event)
        try await database.name(&events, by: Authors())
        let calls = zip(known, events).map { call, event in
            var call = call
            call.event = event
            return call
        }
        return (calls, known.count == found.count)
    }

    /// Writes down what came of a call, for as long as the claim is good: what was taken is not to be sent again because
    /// the database was away for a moment.
    private func persist<Value>(_ write: () async throws -> Value) async throws -> Value {
        let end = Monotonic.now + 15_000_000_000
        while true {
            do { return try await write() } catch  where Monotonic.now < end && !delivery.isClosed {
                await pool.loop.sleep(.milliseconds(500))
            }
        }
    }

    private func settle(_ statement: SQL) async throws {
        _ = try await persist { try await Database(self.pool).execute(statement) }
    }

    /// Says how many are due that nobody calls, and until when none is.
    private func rest() async throws -> Delivery.Step {
        let waiting = try await Database(pool).first(
            """
            with \(fragment: WebhookQueue.waiting)
            select count(*) filter (where h.due_at <= \(fragment: sharedClock)),
                (extract(epoch from min(h.due_at) - \(fragment: sharedClock)) * 1000)::int8
            from waiting w join webhooks h on h.id = w.webhook_id where h.is_active
            """
        ) { (late: try $0.next(Int64.self), next: try $0.next(Int64?.self)) }
        metrics.waiting.store(Int(waiting?.late ?? 0), ordering: .relaxed)
        return waiting?.next.map { .idleFor(.milliseconds(max(100, $0))) } ?? .idle
    }

    private var sharedClock: SQL {
        "(clock_timestamp() + \(clock.offset.microseconds) * interval '1 microsecond')"
    }
}

/// What the transport's thread hands over.
private final class Answer: Sendable {
    let result = Mutex<OutgoingResult?>(nil)
}

extension WebhookFailure {
    init(_ result: OutgoingResult) {
        switch result {
        case .answered(let answer): self.init(status: answer.status, reason: nil)
        case .failed(let reason): self.init(status: nil, reason: String(reason.prefix(200)))
        case .notMade: self.init(status: nil, reason: "not made")
        }
    }

    /// It says nothing of the receiver.
    var text: String { status.map { "\($0)" } ?? reason ?? "" }
}
