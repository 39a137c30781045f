import Synchronization

/// Counters of what this process found out to be told.
final class NotificationMetrics: Sendable {
    let told = Counter()
    /// Not true any more, or nobody wanted to know.
    let dropped = Counter()
    let failed = Counter()
    /// Of all workers, as this one last saw it.
    let waiting = Atomic(0)
}

extension NotificationMetrics {
    func write(to text: inout PrometheusText) {
        text.only("notifications_told_total", .counter, "Notifications that somebody was told.", told.value)
        text.only(
            "notifications_dropped_total", .counter, "Notifications that were not true any more, or of no interest.",
            dropped.value)
        text.only(
            "notifications_failed_total", .counter, "Tries to find out what to tell that failed.", failed.value)
        text.only(
            "notifications_waiting", .gauge, "Notifications that are due and wait, of all workers.",
            waiting.load(ordering: .relaxed))
    }
}
