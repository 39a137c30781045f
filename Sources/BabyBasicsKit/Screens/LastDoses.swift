import BabyBasicsAPI
import Foundation

extension [StoredEntry] {
    private static var shownFor: Duration { .seconds(48 * 3600) }

    /// The last dose of each name in the last 48 hours, the latest first: a vitamin must not hide what was given against
    /// a fever. Of medicines, newest first.
    func lastDoses(at now: Timestamp) -> [StoredEntry] {
        var names: Set<String> = []
        return filter { dose in
            let name = dose.fields["name"]?.text ?? ""
            return now.since(dose.at) <= Self.shownFor && names.insert(name.asMedicine).inserted
        }
    }
}

extension String {
    /// A medicine's name in whatever letters somebody typed it. Swift compares letters by what they mean.
    var asMedicine: String { split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased() }
}
