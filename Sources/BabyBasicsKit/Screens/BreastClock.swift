import BabyBasicsAPI
import Foundation

/// The clock of a breast feed: which side when, and when it stood still. Of pauses the feed itself knows nothing.
struct BreastClock: Hashable, Sendable, Codable {
    /// From this moment on; nil for a pause.
    struct Change: Hashable, Sendable, Codable {
        var at: Timestamp
        var side: BreastSide?
    }

    /// Oldest first.
    var changes: [Change]
}

/// A side of a breast feed.
public enum BreastSide: String, Hashable, Sendable, Codable, CaseIterable {
    /// The left one.
    case left
    /// The right one.
    case right

    /// The one to switch to.
    public var other: BreastSide { self == .left ? .right : .left }
}

extension BreastClock {
    /// The changes so far of a feed that nobody here has touched: another device may have switched it, and left the
    /// minutes of the side before. Empty where nothing is known of the side.
    init(of feed: StoredEntry) {
        changes = []
        let word = feed.fields["last_side"]?.text ?? feed.fields["side"]?.text
        guard let now = word.flatMap({ BreastSide(rawValue: $0) }) else { return }
        let before = feed.fields["\(now.other.rawValue)_minutes"]?.number?.double ?? 0
        if before > 0 { changes.append(Change(at: feed.at, side: now.other)) }
        changes.append(Change(at: feed.at.adding(.seconds(60 * before)), side: now))
    }

    /// How a feed stands.
    struct Standing: Hashable, Sendable {
        var taken: [BreastSide: Duration] = [:]
        /// The side that has it now, or had it last; nil where nothing is known.
        var last: BreastSide?
        var isPaused = false
    }

    func standing(at now: Timestamp) -> Standing {
        var standing = Standing()
        for (place, change) in changes.enumerated() {
            guard let side = change.side else { continue }
            let end = place + 1 < changes.count ? min(changes[place + 1].at, now) : now
            standing.taken[side, default: .zero] += max(.zero, end.since(change.at))
            standing.last = side
        }
        standing.isPaused = changes.last.map { $0.side == nil } ?? false
        return standing
    }

    /// When a feed that stands still ended; nil while it goes on.
    var pausedAt: Timestamp? { changes.last.flatMap { $0.side == nil ? $0.at : nil } }

    /// What a feed is with these minutes. A side of less than half a minute was a slip of the thumb, if the other had more.
    func fields(at now: Timestamp) -> FieldChanges {
        let standing = standing(at: now)
        guard let last = standing.last else { return [:] }
        func minutes(_ side: BreastSide) -> EntryValue? {
            let whole = Int(((standing.taken[side] ?? .zero) / .seconds(60)).rounded())
            return whole > 0 ? .number(Tenths(whole)) : nil
        }
        let (left, right) = (minutes(.left), minutes(.right))
        let isSlip = minutes(last) == nil && minutes(last.other) != nil
        let side = isSlip ? last.other : last
        var fields: FieldChanges = [:]
        fields.updateValue(.text(left != nil && right != nil ? "both" : side.rawValue), forKey: "side")
        fields.updateValue(left, forKey: "left_minutes")
        fields.updateValue(right, forKey: "right_minutes")
        fields.updateValue(.text(side.rawValue), forKey: "last_side")
        return fields
    }
}

/// The clocks of this device's breast feeds: a restart loses nothing.
struct BreastClocks {
    let preferences: any Preferences

    private static let keptFor = Duration.seconds(86_400)

    /// As this device made it; nil where nobody here touched the feed.
    subscript(_ feed: UUID) -> BreastClock? { all[feed.text] }

    func keep(_ clock: BreastClock, of feed: UUID, at now: Timestamp) {
        var kept = all.filter { $0.value.changes.last.map { now.since($0.at) <= Self.keptFor } ?? false }
        kept[feed.text] = clock
        preferences.set(try? StoredJSON.text(kept), for: PreferenceKey.breastClocks)
    }

    private var all: [String: BreastClock] {
        preferences.string(PreferenceKey.breastClocks)
            .flatMap { try? StoredJSON.value([String: BreastClock].self, $0) } ?? [:]
    }
}
