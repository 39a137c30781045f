import Glibc

/// Short sleeps of a thread that computes for long.
///
/// Who wakes up at SCHED_BATCH takes the processor from nobody until the scheduler's next tick, 4 ms later at HZ=250: not even from those
/// that are behind everybody. But one that sleeps has left it. (`sched_yield` leaves it as well, on some kernels: on others a session
/// keeps the processor for its turn.)
enum Pauses {
    private static let interval = 500  // µs
    /// What a pause may take, in ns. A much shorter one is over before it has begun; Linux's 50,000 cost a fifth of all time.
    private static let length = "15000"

    /// For this process, once, before `during`: an alarm ends who does not handle it.
    static func prepare() {
        let file = unsafe open("/proc/self/timerslack_ns", O_WRONLY | O_CLOEXEC)
        if file >= 0 {
            _ = unsafe write(file, length, length.utf8.count)
            close(file)
        }
        _ = signal(SIGALRM) { _ in
            // No shorter than the slack.
            var moment = timespec(tv_sec: 0, tv_nsec: 1)
            unsafe nanosleep(&moment, nil)
        }
    }

    /// Does the work with a pause every now and then.
    static func during<Result>(_ work: () -> Result) -> Result {
        repeatAlarm(every: interval)
        defer { repeatAlarm(every: 0) }
        return work()
    }

    /// - Parameter interval: µs, under a second; with 0 no more.
    private static func repeatAlarm(every interval: Int) {
        let time = timeval(tv_sec: 0, tv_usec: interval)
        var timer = itimerval(it_interval: time, it_value: time)
        // By the clock: what counts the process's own time looks at it once a tick only.
        _ = unsafe setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil)
    }
}
