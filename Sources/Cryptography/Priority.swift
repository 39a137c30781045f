import Glibc

/// What lets a process have the processors only when nobody else wants them. Neither can be undone without rights.
enum Priority {
    /// SCHED_BATCH of sched(7), which Glibc's module does not have: who wakes up by it takes the processor from nobody.
    private static let batchPolicy: CInt = 3

    /// For the calling thread, within its session.
    ///
    /// SCHED_IDLE would be less still. But Linux takes the processor of such a thread for an idle one and wakes others up there, who then
    /// wait for this session's turn to end: sessions share the processors without a look at each other's threads.
    static func takeLittle() {
        var parameters = sched_param()
        // 0 is the calling thread, on Linux.
        _ = unsafe sched_setscheduler(0, batchPolicy, &parameters)
        _ = setpriority(CInt(PRIO_PROCESS.rawValue), 0, 19)
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
