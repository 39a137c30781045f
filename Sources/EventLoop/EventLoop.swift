import CEpoll
import Glibc
import Synchronization

/// One thread that runs tasks, waits for descriptors and timers, and never blocks in between.
///
/// Tasks run on it by `task(_:)`: the loop is their executor, so a nonisolated async function that they call stays on
/// it. What belongs to a loop is a `LoopBound` value, which checks the thread at every use.
public final class EventLoop: TaskExecutor, Sendable {
    let epoll: CInt
    private let wakeUp: WakeUp
    private let thread = Atomic<UInt>(0)
    private let isStopping = Atomic(false)
    /// Jobs from other threads.
    private let incoming = Mutex<[UnownedJob]>([])
    private let state = LoopState()

    /// - Throws: `SystemCallError` where no descriptor is left.
    public init() throws(SystemCallError) {
        epoll = try systemCall("epoll_create1") { epoll_create1(CInt(EPOLL_CLOEXEC)) }
        wakeUp = try WakeUp()
        try wakeUp.join(epoll)
    }

    deinit {
        wakeUp.close()
        _ = close(epoll)
    }

    /// Whether the caller is on the loop's thread.
    public var isCurrent: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

    /// Runs a task on the loop. May be called from any thread.
    @discardableResult
    public func task(_ body: sending @escaping () async -> Void) -> Task<Void, Never> {
        Task(executorPreference: self) { await body() }
    }

    /// Has a task's job run on the loop's thread. Called by Swift.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isCurrent {
            state.jobs.append(job)
            return
        }
        let isFirst = incoming.withLock {
            $0.append(job)
            return $0.count == 1
        }
        if isFirst { wakeUp.signal() }
    }

    /// Runs until `stop()`, on the calling thread. Once only.
    public func run() {
        thread.store(UInt(pthread_self()), ordering: .relaxed)
        takeIncoming()
        while !isStopping.load(ordering: .relaxed) {
            runJobs()
            wait()
            fireTimers()
            takeIncoming()
        }
        // Tasks that were resumed by the last events end their steps.
        runJobs()
        thread.store(0, ordering: .relaxed)
    }

    /// Ends `run()` after what is due now. May be called from any thread.
    public func stop() {
        isStopping.store(true, ordering: .relaxed)
        wakeUp.signal()
    }

    private func runJobs() {
        let executor = unsafe asUnownedTaskExecutor()
        var next = 0
        // A job may add others; they belong to the same round.
        while next < state.jobs.count {
            let job = state.jobs[next]
            next += 1
            unsafe job.runSynchronously(on: executor)
        }
        state.jobs.removeAll(keepingCapacity: true)
    }

    /// What a timer adds comes with the next round, even if it is due at once.
    private func fireTimers() {
        let now = Monotonic.now
        while let timer = state.timers.next(at: now) { timer.fire() }
    }

    private func takeIncoming() {
        let jobs = incoming.withLock { incoming in
            defer { incoming.removeAll(keepingCapacity: true) }
            return incoming
        }
        state.jobs += jobs
    }

    private func wait() {
        let milliseconds = state.jobs.isEmpty ? state.timers.milliseconds(from: Monotonic.now) : 0
        unsafe withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 64) { events in
            let count = unsafe epoll_wait(epoll, events.baseAddress, CInt(events.count), milliseconds)
            for index in 0..<max(0, Int(count)) {
                let event = unsafe events[index]
                let token = unsafe event.data.u64
                if token == WakeUp.token {
                    wakeUp.reset()
                } else {
                    state.watches.find(token)?.action(Readiness(epoll: unsafe event.events))
                }
            }
        }
    }

    // MARK: On the loop's thread

    /// Calls `action` on the loop whenever a descriptor is ready, until the watch is cancelled.
    ///
    /// - Returns: the watch, to be cancelled before the descriptor is closed.
    /// - Throws: `SystemCallError` where the kernel refuses.
    public func watch(
        _ descriptor: CInt, for interest: Interest, _ action: @escaping (Readiness) -> Void
    ) throws(SystemCallError) -> Watch {
        assertCurrent()
        let watch = Watch(descriptor: descriptor, loop: self, action: action)
        watch.token = state.watches.insert(watch)
        do {
            try control(EPOLL_CTL_ADD, watch, interest)
        } catch {
            state.watches.remove(watch.token)
            throw error
        }
        state.watches.latest[descriptor] = watch.token
        return watch
    }

    /// Calls `action` once on the loop, at a moment of `Monotonic.now` or soon after it.
    @discardableResult
    public func at(_ moment: UInt64, _ action: @escaping () -> Void) -> Timer {
        assertCurrent()
        let timer = Timer(moment: moment, action: action)
        state.timers.insert(timer)
        return timer
    }

    /// Calls `action` once on the loop after a while.
    @discardableResult
    public func after(_ delay: Duration, _ action: @escaping () -> Void) -> Timer {
        at(Monotonic.now + delay.nanoseconds, action)
    }

    /// Suspends the calling task, which runs on the loop, for a while.
    public func sleep(_ delay: Duration) async {
        await suspend { task in
            after(delay) { task.resume() }
        }
    }

    /// Stops a program that touches the loop's state from another thread: it would be a race.
    public func assertCurrent() {
        precondition(isCurrent, "only the loop's own thread may do this")
    }

    /// Has the kernel look for something else on a watch's descriptor.
    func change(_ watch: Watch, to interest: Interest) {
        assertCurrent()
        guard state.watches.isLatest(watch) else { return }
        // It was added, so that the kernel has no reason to refuse.
        try? control(EPOLL_CTL_MOD, watch, interest)
    }

    private func control(
        _ operation: CInt, _ watch: Watch, _ interest: Interest
    ) throws(SystemCallError) {
        var event = unsafe epoll_event()
        unsafe event.events = interest.epoll
        unsafe event.data.u64 = watch.token
        _ = try systemCall("epoll_ctl") {
            unsafe epoll_ctl(epoll, operation, watch.descriptor, &event)
        }
    }

    func remove(_ watch: Watch) {
        assertCurrent()
        if state.watches.isLatest(watch) {
            state.watches.latest[watch.descriptor] = nil
            // It fails where the descriptor is closed already, which ends the watch as well.
            try? control(EPOLL_CTL_DEL, watch, [])
        }
        state.watches.remove(watch.token)
    }
}

/// What only the loop's thread touches.
///
/// Unchecked because each function that reaches it is on the loop's thread: `run()` is, `enqueue` asks, and the others
/// call `assertCurrent()`.
private final class LoopState: @unchecked Sendable {
    var jobs: [UnownedJob] = []
    var watches = WatchTable()
    var timers = TimerQueue()
}
