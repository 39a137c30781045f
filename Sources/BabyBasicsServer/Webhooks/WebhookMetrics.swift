import Synchronization

/// Counters of the calls that this process makes.
final class WebhookMetrics: Sendable {
    let delivered = Counter()
    /// Tries that a receiver did not take.
    let failed = Counter()
    /// Webhooks that were turned off because they had not taken a call for a day.
    let turnedOff = Counter()
    /// Of all workers, as this one last saw it.
    let waiting = Atomic(0)
}

extension WebhookMetrics {
    func write(to text: inout PrometheusText) {
        text.only("webhook_calls_total", .counter, "Calls of webhooks that were taken.", delivered.value)
        text.only("webhook_calls_failed_total", .counter, "Tries to call a webhook that failed.", failed.value)
        text.only(
            "webhooks_turned_off_total", .counter, "Webhooks that had taken no call for a day.", turnedOff.value)
        text.only(
            "webhooks_waiting", .gauge, "Webhooks that are due and wait to be called, of all workers.",
            waiting.load(ordering: .relaxed))
    }
}
