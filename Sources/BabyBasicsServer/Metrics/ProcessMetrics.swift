import Glibc

/// What the operating system says of this process, under the names that Prometheus' own libraries use.
enum ProcessMetrics {
    /// Taken when it is first asked for; `Server` does so when it is made.
    static let started = clock(CLOCK_REALTIME)

    static func write(to text: inout PrometheusText) {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        text.only(
            "process_cpu_seconds_total", .counter, "Processor time, of user and system together.",
            seconds: nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime))
        text.only(
            "process_start_time_seconds", .gauge, "When the process started, since 1970.",
            seconds: started)
        if let pages = residentPages() {
            text.only(
                "process_resident_memory_bytes", .gauge, "Memory that is not swapped out.",
                pages * Int(sysconf(Int32(_SC_PAGESIZE))))
        }
        if let count = openDescriptors() {
            text.only("process_open_fds", .gauge, "Descriptors in use.", count)
        }
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            text.only("process_max_fds", .gauge, "Descriptors allowed.", limit.rlim_cur)
        }
    }

    /// Nanoseconds of a clock of the operating system.
    static func clock(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }

    private static func nanoseconds(_ time: timeval) -> UInt64 {
        UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_usec) * 1000
    }

    private static func residentPages() -> Int? {
        let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = read(file, &bytes, bytes.count)
        let numbers = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(
            separator: " ")
        return numbers.count > 1 ? Int(numbers[1]) : nil
    }

    private static func openDescriptors() -> Int? {
        guard let directory = opendir("/proc/self/fd") else { return nil }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        // Without `.`, `..` and the descriptor of this look itself.
        return count - 3
    }
}
