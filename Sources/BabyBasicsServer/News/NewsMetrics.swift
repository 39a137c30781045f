import Synchronization

/// Counters of the news that this process sends and receives.
final class NewsMetrics: Sendable {
    let waiting = Atomic(0)
    let sent = Counter()
    let received = Counter()
    /// 1 while the worker hears the others.
    let isListening = Atomic(0)
    /// From the news to the answer.
    let wakeUps = LatencyHistogram()
}

extension NewsMetrics {
    func write(to text: inout PrometheusText) {
        text.only(
            "requests_waiting", .gauge, "Requests that wait for changes of a family.",
            waiting.load(ordering: .relaxed))
        text.only(
            "news_listening", .gauge, "0 while the worker does not hear what others change.",
            isListening.load(ordering: .relaxed))
        text.only("news_sent_total", .counter, "Changes that the other workers were told of.", sent.value)
        text.only("news_received_total", .counter, "Changes that other workers told of.", received.value)
        text.metric("news_wake_up_seconds", .histogram, "From hearing of a change to the answer.")
        text.histogram("news_wake_up_seconds", [], wakeUps)
    }
}
