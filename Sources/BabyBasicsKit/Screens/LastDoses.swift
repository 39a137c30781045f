import BabyBasicsAPI
import Foundation

extension [StoredEntry] {
    private static var shownFor: Duration { .seconds(48 * 3600) }

    /// The last dose of each name in the last 48 hours, the latest first: a vitamin must not hide what was given against
    /// a fever. Of medicines, newest first.
    func lastDoses(at now: Timestamp) -> [StoredEntry] {
        var names: Set<String> = []
        return filter { now.since($0.at) <= Self.shownFor && names.insert($0.plainName).inserted }
    }
}

extension StoredEntry {
    /// The name in whatever letters somebody typed it. Swift compares letters by what they mean.
    fileprivate var plainName: String {
        (fields["name"]?.text ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
    }
}
