public import BabyBasicsAPI
public import BabyBasicsClient
import Foundation
import GRDB

/// Keeps one account's store and the server equal. Its vocabulary is that of Apple's `CKSyncEngine`.
///
///     let engine = SyncEngine(store: store, client: client)
///     await engine.start()       // on screen
///     await engine.stop()        // not any more
///
/// What waits, and where each family's feed stands, is in the store: an engine made after a restart goes on where the
/// last one was.
public actor SyncEngine {
    /// How it behaves.
    public struct Configuration: Sendable {
        /// How long the server may hold a question for changes.
        public var wait = Duration.seconds(25)
        /// How many families are asked that way at once; the others every `interval`.
        public var waitingFamilies = 2
        /// How often the list of families is read, and each family that is not waited for.
        public var interval = Duration.seconds(60)
        /// How many changes to ask for at once.
        public var pageSize = 1000
        /// How many new entries to send at once.
        public var batchSize = 500
        /// The first pause after a failure, doubled with each further one.
        public var firstPause = Duration.seconds(1)
        /// The longest pause after failures.
        public var longestPause = Duration.seconds(120)

        /// As an app on a phone wants it.
        public init() {}
    }

    /// The account's store.
    public nonisolated let store: AccountStore
    let configuration: Configuration
    let network: any NetworkMonitor
    var client: APIClient
    private(set) var phase = SyncPhase.stopped
    private var listeners: [UUID: AsyncStream<SyncEvent>.Continuation] = [:]
    /// Whether the app wants it to run: the last of `start` and `stop` holds.
    private var isWanted = false
    private var running: Task<Void, Never>?
    private var pauses: [UUID: Task<Void, any Error>] = [:]
    private var sending: Task<Void, any Error>?
    /// Until when the server has asked to be left alone. A network that changes is no reason to come earlier.
    private var quietUntil: ContinuousClock.Instant?
    /// How many requests have brought something into the store, or to the server.
    private(set) var progress = 0
    /// When the reminders were read last.
    var remindersReadAt: ContinuousClock.Instant?
    /// The family on screen: it is waited for first.
    var activeFamily: FamilyID?
    var batchSize: Int

    /// An engine that stands still until it is started or asked.
    public init(
        store: AccountStore, client: APIClient, configuration: Configuration = Configuration(),
        network: any NetworkMonitor = SystemNetworkMonitor()
    ) {
        self.store = store
        self.client = client
        self.client.retries = .never
        self.configuration = configuration
        self.network = network
        batchSize = configuration.batchSize
    }

    /// What the engine does from now on, for as long as somebody listens.
    public func events() -> AsyncStream<SyncEvent> {
        let id = UUID()
        let (stream, continuation) = AsyncStream.makeStream(of: SyncEvent.self)
        listeners[id] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { await self?.forget(listener: id) }
        }
        return stream
    }

    /// The pending changes, in order.
    public var pendingChanges: [PendingChange] {
        get async throws { try await store.pendingChanges() }
    }

    /// How the engine stands.
    public var currentPhase: SyncPhase { phase }

    // MARK: Running

    /// The app is on screen: sends what waits, reads what others do, and goes on doing so. May be called at any time,
    /// also while a `stop` is under way.
    public func start() {
        isWanted = true
        if running == nil { launch() }
    }

    /// The app is on screen no more. What is under way ends, and is done again another time. Returns when the engine
    /// stands still, or was started again meanwhile.
    public func stop() async {
        isWanted = false
        let ending = running
        ending?.cancel()
        retryNow()
        await ending?.value
    }

    private func launch() {
        phase = .running
        environment.log(.info, "The engine starts")
        running = Task {
            await run()
            ended()
        }
    }

    private func ended() {
        running = nil
        if phase == .signedOut {
            isWanted = false
        } else if isWanted {
            launch()
        } else {
            phase = .stopped
            environment.log(.info, "The engine stands still")
        }
    }

    /// The family on screen, which hears of changes at once.
    public func setActiveFamily(_ family: FamilyID?) {
        activeFamily = family
    }

    // MARK: Once

    /// Sends everything that waits, in order. What the server refuses for good is kept as rejected.
    /// - Throws: what kept the rest from being sent: `APIFailure`, `TransportFailure`, `UnreadableAnswer`.
    public func sendChanges() async throws {
        // One at a time, so that nothing overtakes. Who comes meanwhile waits, and looks again.
        while let sending { _ = await sending.result }
        let task = Task { try await self.sendAll() }
        sending = task
        defer { sending = nil }
        try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Reads everything that is new, of all families.
    public func fetchChanges() async throws {
        tell(.willFetchChanges)
        try await fetchFamilies()
        for family in try await store.families() {
            try await fetchChanges(of: family.id)
        }
        try await fetchReminders()
        tell(.didFetchChanges)
    }

    /// Tries at once what waits for a better moment, unless the server has asked for the pause.
    public func retryNow() {
        for pause in pauses.values { pause.cancel() }
    }

    // MARK: Telling and waiting

    nonisolated var environment: KitEnvironment { store.environment }

    func tell(_ event: SyncEvent) {
        for listener in listeners.values { listener.yield(event) }
    }

    func enter(_ phase: SyncPhase) {
        guard isWanted, self.phase != phase else { return }
        self.phase = phase
        environment.log(.info, "The engine is \(phase)")
    }

    func noteProgress() { progress += 1 }

    private func forget(listener: UUID) {
        listeners[listener] = nil
    }

    /// Waits, or less if something says that now is better.
    func pause(_ duration: Duration) async throws {
        let id = UUID()
        let sleep = environment.sleep
        let task = Task { try await sleep(duration) }
        pauses[id] = task
        defer { pauses[id] = nil }
        _ = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        try Task.checkCancellation()
    }

    func keepQuiet(for duration: Duration) {
        let end = ContinuousClock.now + duration
        quietUntil = quietUntil.map { max($0, end) } ?? end
    }

    /// Waits for as long as the server has asked for.
    func waitAsAsked() async throws {
        while let end = quietUntil, case let rest = end - .now, rest > .zero {
            try await environment.sleep(rest)
        }
        quietUntil = nil
    }
}
