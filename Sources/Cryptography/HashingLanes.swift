/// The jobs that wait, and who may join them. It only decides: `HashingQueue` holds the lock and wakes the threads.
///
/// Two lanes, each first come, first served, are served alternately: a flood in one of them can take at most every other turn.
struct HashingLanes {
    enum Lane: Int {
        case new, known

        var other: Lane { self == .new ? .known : .new }
    }

    private struct Waiting {
        let job: HashingJob
        let deadline: ContinuousClock.Instant
    }

    private let concurrency: Int
    private let limit: Int
    private let timeout: Duration
    private var new: [Waiting] = []
    private var known: [Waiting] = []
    private var lastServed = Lane.new
    /// Those of `PasswordCaller.user` whose job waits or runs.
    private var users: Set<UInt128> = []
    /// How long a job takes, the last four counting most; zero until one has ended.
    private var usualTime = Duration.zero
    private(set) var isClosed = false
    private(set) var statistics = HashingStatistics()

    /// - Parameters:
    ///   - concurrency: jobs that run at once.
    ///   - limit: jobs that wait at once, in each lane.
    ///   - timeout: the longest wait.
    init(concurrency: Int, limit: Int, timeout: Duration) {
        self.concurrency = concurrency
        self.limit = limit
        self.timeout = timeout
        statistics.concurrency = concurrency
        statistics.limit = 2 * limit
    }

    /// Whether a job for this caller would be accepted now.
    func accepts(_ caller: PasswordCaller) -> Bool {
        if let user = caller.user, users.contains(user) { return false }
        return !isClosed && hasRoom(in: caller.lane)
    }

    /// False, and counted as refused, where the job is not accepted.
    mutating func add(_ job: HashingJob, at now: ContinuousClock.Instant) -> Bool {
        guard accepts(job.caller) else {
            statistics.refused += 1
            return false
        }
        if let user = job.caller.user { users.insert(user) }
        self[job.caller.lane].append(Waiting(job: job, deadline: now + timeout))
        statistics.waiting += 1
        return true
    }

    /// Takes the next job to run.
    mutating func start() -> HashingJob? {
        let lane = self[lastServed.other].isEmpty ? lastServed : lastServed.other
        guard !self[lane].isEmpty else { return nil }
        lastServed = lane
        statistics.waiting -= 1
        statistics.running += 1
        statistics.started += 1
        return self[lane].removeFirst().job
    }

    /// Notes the end of a job that was started.
    mutating func end(_ job: HashingJob, after time: Duration) {
        usualTime = usualTime == .zero ? time : usualTime + (time - usualTime) / 4
        statistics.running -= 1
        release(job)
    }

    /// Takes out a job whose caller has gone. One that runs, runs on: its user's next one has to wait for it.
    mutating func cancel(_ job: HashingJob) {
        guard let index = self[job.caller.lane].firstIndex(where: { $0.job === job }) else {
            return
        }
        self[job.caller.lane].remove(at: index)
        statistics.waiting -= 1
        release(job)
    }

    /// Takes out the jobs that have waited too long, and counts them as refused.
    mutating func expire(at now: ContinuousClock.Instant) -> [HashingJob] {
        takeOut { $0.deadline <= now }
    }

    /// Accepts no more jobs, and takes out those that wait.
    mutating func close() -> [HashingJob] {
        isClosed = true
        return takeOut { _ in true }
    }

    mutating func countRefusal() { statistics.refused += 1 }

    /// When the first of those that wait has waited too long.
    var nextDeadline: ContinuousClock.Instant? {
        [new.first?.deadline, known.first?.deadline].compactMap { $0 }.min()
    }

    /// There is a place, and the turn is likely to come well before the timeout: who would wait in vain is told at once.
    private func hasRoom(in lane: Lane) -> Bool {
        let waiting = self[lane].count
        let ahead = waiting + min(self[lane.other].count, waiting + 1)
        return waiting < limit
            && (ahead == 0 || usualTime * (ahead + 1) / concurrency < timeout * 4 / 5)
    }

    private mutating func takeOut(_ isOut: (Waiting) -> Bool) -> [HashingJob] {
        let jobs = (new + known).filter(isOut).map(\.job)
        new.removeAll(where: isOut)
        known.removeAll(where: isOut)
        statistics.waiting -= jobs.count
        statistics.refused += jobs.count
        for job in jobs { release(job) }
        return jobs
    }

    private mutating func release(_ job: HashingJob) {
        if let user = job.caller.user { users.remove(user) }
    }

    private subscript(lane: Lane) -> [Waiting] {
        get { lane == .new ? new : known }
        set { if lane == .new { new = newValue } else { known = newValue } }
    }
}

/// The queue at one moment.
public struct HashingStatistics: Sendable, Equatable {
    /// Jobs that run at once, at most.
    public internal(set) var concurrency = 0
    /// Jobs that wait at once, at most, both lanes together.
    public internal(set) var limit = 0
    public internal(set) var running = 0
    public internal(set) var waiting = 0
    /// Since the queue was made, those that run included.
    public internal(set) var started = 0
    /// Since the queue was made: for want of room, after too long a wait, or because the user's last one was not done.
    public internal(set) var refused = 0
}
