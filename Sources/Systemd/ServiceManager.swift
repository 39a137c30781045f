import CSystemd

/// The systemd that started this process: what it handed over and what it wants to hear.
/// Started by anybody else, there is nothing to inherit and nobody listens.
///
/// The protocol is sd_notify(3)'s, spoken by libsystemd.
public enum ServiceManager {
    /// The listening sockets of the unit's socket units, in their order; each may be adopted once.
    /// They are closed in programs that this process executes.
    public static var listeners: [Int32] {
        (0..<max(0, sd_listen_fds(0))).map { SD_LISTEN_FDS_START + $0 }
    }

    /// How long the manager waits from one `.alive` to the next before it kills this process
    /// (`WatchdogSec=`); nil where it does not watch.
    public static var watchdog: Duration? {
        var microseconds: UInt64 = 0
        guard unsafe sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
        return .microseconds(Int64(clamping: microseconds))
    }

    public enum State: Sendable {
        /// Requests are answered from now on.
        case ready
        /// Not ready yet, but on the way: the start may take this long from now.
        case starting(Duration)
        /// Feeds the watchdog.
        case alive
        /// No more requests are taken; those under way are finished.
        case stopping
    }

    /// - Parameter status: one line for people (`systemctl status`); nil leaves the last one.
    public static func tell(_ state: State, status: String? = nil) {
        var message =
            switch state {
            case .ready: "READY=1"
            case .starting(let limit):
                "EXTEND_TIMEOUT_USEC=\(limit.components.seconds * 1_000_000)"
            case .alive: "WATCHDOG=1"
            case .stopping: "STOPPING=1"
            }
        if let status { message += "\nSTATUS=\(status)" }
        // Nothing can be done if nobody hears it: the manager then does what it does to the silent.
        _ = unsafe sd_notify(0, message)
    }
}
