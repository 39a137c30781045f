import BabyBasicsAPI
import Cryptography
import EventLoop
public import FastCGI
import Postgres

extension Server {
    /// Everything that is counted in this process, in Prometheus' text format.
    ///
    /// It may be asked for at any time, from any thread, and holds nobody up.
    public func metrics(worker: WorkerStatistics, log: LogStatistics) -> String {
        var text = PrometheusText()
        text.metric("build_info", .gauge, "The release that runs.")
        text.sample("build_info", [("version", Server.version)], 1)
        services.metrics.write(to: &text)
        writePool(to: &text)
        writeHashing(to: &text)
        services.news.metrics.write(to: &text)
        services.mailMetrics.write(to: &text)
        services.pushMetrics.write(to: &text)
        services.notificationMetrics.write(to: &text)
        services.webhookMetrics.write(to: &text)
        worker.write(to: &text)
        log.write(to: &text)
        ProcessMetrics.write(to: &text)
        return text.text
    }

    private func writePool(to text: inout PrometheusText) {
        let pool = services.loop.sync { [services] in services.pool.statistics }
        text.metric("pool_connections", .gauge, "Database connections, by what they do.")
        text.sample("pool_connections", [("state", "in_use")], pool.inUse)
        text.sample("pool_connections", [("state", "idle")], pool.idle)
        text.only("pool_connections_limit", .gauge, "Database connections, at most.", pool.maximum)
        text.only("requests_queued", .gauge, "Requests that wait for a connection.", pool.waiting)
        text.only(
            "pool_checkouts_total", .counter, "Times a connection was asked for.", pool.checkouts)
        text.only("pool_waits_total", .counter, "Times a request had to wait for one.", pool.waits)
        text.only(
            "pool_wait_seconds_total", .counter, "Time that requests waited for connections.",
            seconds: UInt64(max(0, pool.totalWait / .nanoseconds(1))))
        text.only(
            "pool_timeouts_total", .counter, "Waits that ended without a connection.", pool.timeouts
        )
        text.only(
            "database_available", .gauge, "0 while the database cannot be reached.",
            pool.isAvailable ? 1 : 0)
    }

    private func writeHashing(to text: inout PrometheusText) {
        let hashing = services.passwords.statistics
        text.only("hashing_running", .gauge, "Passwords being hashed.", hashing.running)
        text.only(
            "hashing_running_limit", .gauge, "Passwords hashed at once, at most.",
            hashing.concurrency)
        text.only("hashing_waiting", .gauge, "Requests that wait to hash.", hashing.waiting)
        text.only("hashing_waiting_limit", .gauge, "Requests waiting, at most.", hashing.limit)
        text.only("hashing_total", .counter, "Passwords hashed.", hashing.started)
        text.only(
            "hashing_refused_total", .counter, "Requests refused by the hashing queue.",
            hashing.refused)
    }
}

extension RequestMetrics {
    func write(to text: inout PrometheusText) {
        text.metric("requests_total", .counter, "Requests answered.")
        for endpoint in endpoints { endpoint.writeCounts(to: &text) }
        text.metric(
            "request_duration_seconds", .histogram,
            "From the whole request to its answer, in the worker.")
        for endpoint in endpoints { endpoint.writeLatencies(to: &text) }
        text.metric(
            "request_database_seconds_total", .counter, "Time that requests spent in statements.")
        for endpoint in endpoints where endpoint.databaseRoundTrips.value > 0 {
            text.sample(
                "request_database_seconds_total", endpoint.labels,
                seconds: endpoint.databaseNanoseconds.value)
        }
        text.metric(
            "request_database_round_trips_total", .counter,
            "Times that requests waited for an answer of the database.")
        for endpoint in endpoints where endpoint.databaseRoundTrips.value > 0 {
            text.sample(
                "request_database_round_trips_total", endpoint.labels,
                endpoint.databaseRoundTrips.value)
        }
        text.metric("rate_refusals_total", .counter, "Requests answered 429, by the limit.")
        for limit in RateLimitName.allCases {
            text.sample("rate_refusals_total", [("limit", limit.label)], refusals(by: limit))
        }
        text.metric("failures_total", .counter, "Requests answered 500 or 503, by the cause.")
        for cause in FailureCause.allCases {
            text.sample("failures_total", [("cause", cause.label)], failures(cause))
        }
    }
}

extension RequestMetrics.Endpoint {
    fileprivate var labels: [PrometheusText.Label] {
        [
            ("method", description?.method.rawValue ?? "none"),
            ("route", description?.path ?? "none"),
        ]
    }

    private func labels(_ status: Int) -> [PrometheusText.Label] {
        labels + [("status", status == 0 ? "other" : String(status))]
    }

    /// A series that begins with 1 shows Prometheus no increase: those that alarms watch are there from the start.
    fileprivate func writeCounts(to text: inout PrometheusText) {
        let expected = description.map { [$0.success, 500, 503] } ?? [404, 405, 413]
        for (status, latency) in zip(RequestMetrics.statuses, latencies) {
            let count = latency.snapshot.buckets.reduce(0, +)
            guard count > 0 || expected.contains(status) else { continue }
            text.sample("requests_total", labels(status), count)
        }
    }

    fileprivate func writeLatencies(to text: inout PrometheusText) {
        for (status, latency) in zip(RequestMetrics.statuses, latencies)
        where latency.snapshot.buckets.contains(where: { $0 > 0 }) {
            text.histogram("request_duration_seconds", labels(status), latency)
        }
    }
}

extension WorkerStatistics {
    fileprivate func write(to text: inout PrometheusText) {
        text.only(
            "requests_in_flight", .gauge, "Requests taken and not answered yet.",
            requestsInFlight)
        text.only("connections", .gauge, "Connections of nginx, idle ones included.", connections)
        text.only("fastcgi_requests_total", .counter, "Requests that arrived whole.", requests)
        text.metric(
            "fastcgi_failures_total", .counter, "Requests and connections that came to nothing.")
        for (reason, count) in [
            ("refused", refused), ("broken", broken), ("timed_out", timedOut),
            ("no_descriptor", descriptorShortages),
        ] {
            text.sample("fastcgi_failures_total", [("reason", reason)], count)
        }
    }
}

extension LogStatistics {
    fileprivate func write(to text: inout PrometheusText) {
        text.only("log_lines_total", .counter, "Lines handed to the log.", lines)
        text.only(
            "log_lines_dropped_total", .counter,
            "Lines lost because the log's reader was too slow or gone.", dropped)
    }
}
