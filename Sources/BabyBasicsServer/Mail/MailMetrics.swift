import Synchronization

/// Counters of the mails that this process sends.
final class MailMetrics: Sendable {
    let sent = Counter()
    /// Tries that the mail server did not take.
    let failed = Counter()
    /// Not sent because they would not be true any more, or nobody has the address.
    let dropped = Counter()
    let givenUp = Counter()
    /// Of all workers, as this one last saw it.
    let waiting = Atomic(0)
}

extension MailMetrics {
    func write(to text: inout PrometheusText) {
        text.only("mails_sent_total", .counter, "Mails that the mail server took.", sent.value)
        text.only("mails_failed_total", .counter, "Tries to send a mail that failed.", failed.value)
        text.only("mails_dropped_total", .counter, "Mails that there was no reason to send any more.", dropped.value)
        text.only(
            "mails_given_up_total", .counter, "Mails that could not be sent for a day, or while they were true.",
            givenUp.value)
        text.only(
            "mails_waiting", .gauge, "Mails that wait, of all workers.", waiting.load(ordering: .relaxed))
    }
}
