public import BabyBasicsAPI

// The web app has the same rules: both are held to the cases of Tests/Fixtures/milk.

/// Pumped milk that nobody has drunk yet, of all of a family's children: milk has no name on it. What is oldest is given
/// first, and what is thrown away was the oldest, too.
public struct MilkStash: Hashable, Sendable {
    /// How much it is.
    public let milliliters: Tenths
    /// When the oldest of it was pumped; nil where all is gone.
    public let oldest: Timestamp?

    /// Milk keeps for a year at most: older entries say nothing of what is there.
    static let keeps = Duration.seconds(366 * 86_400)

    /// - Parameter entries: of a family's children, in any order; may be more than is needed.
    public init(_ entries: [StoredEntry], now: Timestamp) {
        self.init(entries.compactMap { Move($0) }, now: now)
    }

    /// What goes into the stash, or out of it.
    struct Move: Hashable, Sendable {
        var at: Timestamp
        /// Tenths of a millilitre, negative for what is used.
        var tenths: Int

        init(at: Timestamp, tenths: Int) { (self.at, self.tenths) = (at, tenths) }

        init?(_ entry: StoredEntry) {
            self.init(
                entry.kind, at: entry.at, type: entry.type, content: entry.fields["content"]?.text,
                amount: entry.fields["amount_ml"]?.number)
        }

        /// Nil for what is neither pumped nor used.
        init?(_ kind: String, at: Timestamp, type: String?, content: String?, amount: Tenths?) {
            let tenths = amount?.tenths ?? 0
            let isDrunk = type == "bottle" && content == "breast_milk"
            switch kind {
            case "pumping": self.init(at: at, tenths: tenths)
            case "feeding" where isDrunk, "discard": self.init(at: at, tenths: -tenths)
            default: return nil
            }
        }
    }

    init(_ moves: [Move], now: Timestamp) {
        let since = now.adding(.zero - Self.keeps)
        var lots: [Move] = []
        var first = 0
        // What is pumped at the moment of a bottle may be in it.
        let known = moves.filter { since < $0.at && $0.at <= now }.sorted { ($0.at, -$0.tenths) < ($1.at, -$1.tenths) }
        for move in known {
            if move.tenths > 0 { lots.append(move) }
            // Milk that is used without having been pumped here was never in the stash.
            var used = max(0, -move.tenths)
            while used > 0, first < lots.count {
                let taken = min(used, lots[first].tenths)
                lots[first].tenths -= taken
                used -= taken
                if lots[first].tenths == 0 { first += 1 }
            }
        }
        milliliters = Tenths(tenths: lots[first...].reduce(0) { $0 + $1.tenths })
        oldest = lots[first...].first?.at
    }
}
