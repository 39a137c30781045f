import Synchronization

/// Counters of the pushes that this process sends.
final class PushMetrics: Sendable {
    let sent = Counter()
    /// Tries that a push service did not take.
    let failed = Counter()
    /// Not sent because they were not true any more, or for somebody who is no member, or signed out.
    let dropped = Counter()
    /// Thrown away because a push service would never take them.
    let refused = Counter()
    /// Thrown away because they were not true any longer when a push service might have taken them.
    let givenUp = Counter()
    let devicesGone = Counter()
    /// Of all workers, as this one last saw it.
    let waiting = Atomic(0)
}

extension PushMetrics {
    func write(to text: inout PrometheusText) {
        text.only("pushes_sent_total", .counter, "Pushes that a push service took.", sent.value)
        text.only("pushes_failed_total", .counter, "Tries to push that failed.", failed.value)
        text.only("pushes_dropped_total", .counter, "Pushes that there was no reason to send any more.", dropped.value)
        text.only("pushes_refused_total", .counter, "Pushes that a push service would never take.", refused.value)
        text.only(
            "pushes_given_up_total", .counter, "Pushes that could not be sent while they were true.", givenUp.value)
        text.only(
            "push_devices_gone_total", .counter, "Devices that a push service knows no more.", devicesGone.value)
        text.only(
            "pushes_waiting", .gauge, "Pushes that are due and wait, of all workers.", waiting.load(ordering: .relaxed))
    }
}
