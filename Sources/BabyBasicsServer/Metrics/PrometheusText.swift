/// Writes Prometheus' text format, version 0.0.4.
struct PrometheusText {
    enum Kind: String {
        case counter, gauge, histogram
    }

    typealias Label = (name: String, value: String)

    private(set) var text = ""

    /// Announces a metric; its samples follow.
    /// - Parameters:
    ///   - name: without the `babybasics_` that it gets unless it is one of the `process_` ones, which all programs share.
    ///   - help: one line without backslashes.
    mutating func metric(_ name: String, _ kind: Kind, _ help: String) {
        let name = Self.full(name)
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    mutating func sample(_ name: String, _ labels: [Label], _ value: some BinaryInteger) {
        line(name, labels, String(value))
    }

    mutating func sample(_ name: String, _ labels: [Label], seconds nanoseconds: UInt64) {
        line(name, labels, Self.seconds(nanoseconds))
    }

    /// A metric of one sample.
    mutating func only(_ name: String, _ kind: Kind, _ help: String, _ value: some BinaryInteger) {
        metric(name, kind, help)
        sample(name, [], value)
    }

    /// A metric of one sample, in seconds.
    mutating func only(_ name: String, _ kind: Kind, _ help: String, seconds nanoseconds: UInt64) {
        metric(name, kind, help)
        sample(name, [], seconds: nanoseconds)
    }

    mutating func histogram(_ name: String, _ labels: [Label], _ histogram: LatencyHistogram) {
        let (buckets, nanoseconds) = histogram.snapshot
        var total: UInt64 = 0
        for (count, bound) in zip(buckets, LatencyHistogram.bounds) {
            total += count
            line("\(name)_bucket", labels + [("le", Self.seconds(bound * 1000))], String(total))
        }
        total += buckets.last ?? 0
        line("\(name)_bucket", labels + [("le", "+Inf")], String(total))
        line("\(name)_sum", labels, Self.seconds(nanoseconds))
        line("\(name)_count", labels, String(total))
    }

    private mutating func line(_ name: String, _ labels: [Label], _ value: String) {
        text += Self.full(name)
        if !labels.isEmpty {
            text += "{"
            for (index, label) in labels.enumerated() {
                text += "\(index == 0 ? "" : ",")\(label.name)=\"\(label.value)\""
            }
            text += "}"
        }
        text += " \(value)\n"
    }

    private static func full(_ name: String) -> String {
        name.hasPrefix("process_") ? name : "babybasics_\(name)"
    }

    /// Exactly, without the rounding of a floating-point number.
    private static func seconds(_ nanoseconds: UInt64) -> String {
        let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        if rest == 0 { return "\(whole)" }
        var digits = String(rest + 1_000_000_000).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(whole).\(digits)"
    }
}
