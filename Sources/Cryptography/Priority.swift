import Glibc

/// What lets a process have the processors only when nobody else wants them. Neither can be undone without rights.
enum Priority {
    /// SCHED_IDLE of sched(7), which Glibc's module does not have: within its session the thread comes last.
    private static let idlePolicy: CInt = 5

    /// For the calling thread.
    static func takeIdleTime() {
        var parameters = sched_param()
        // 0 is the calling thread, on Linux.
        _ = unsafe sched_setscheduler(0, idlePolicy, &parameters)
    }

    /// Gives the session the lowest weight among those of the host.
    /// - Returns: false where the kernel wants to be asked again later: it does this for the whole host ten times a second at most.
    static func goBehindAllSessions() -> Bool {
        let file = unsafe open("/proc/self/autogroup", O_WRONLY | O_CLOEXEC)
        // A kernel without autogroup shares the processors by priority alone.
        guard file >= 0 else { return true }
        defer { close(file) }
        return unsafe write(file, "19", 2) == 2 || errno != EAGAIN
    }
}
