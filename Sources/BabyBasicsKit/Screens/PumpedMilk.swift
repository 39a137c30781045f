public import BabyBasicsAPI
import Foundation
public import Observation

/// The line that says how much pumped milk a family has.
@MainActor @Observable public final class PumpedMilk {
    /// What is there; nil until it was read, and where nobody pumps.
    public private(set) var stash: MilkStash?
    /// Whether the store was read.
    private(set) var isRead = false
    private let home: Home
    private let family: FamilyID
    private var lookedAt: Timestamp
    private var watching: Watching?

    /// The milk of a family's children.
    public init(_ home: Home, family: FamilyID) {
        self.home = home
        self.family = family
        lookedAt = home.now
        look()
    }

    /// Time has passed: call it each minute. Milk that keeps no longer goes with the day.
    public func tick() { if home.now.since(lookedAt) >= .seconds(86_400) { look() } }

    /// `Pumped and not given yet: 180 ml, the oldest from yesterday.`; nil where nobody pumps.
    public var text: String? {
        stash.map { stash in
            let borders = home.borders
            let today = borders.date(of: home.now)
            return home.texts.stash(
                stash.milliliters, oldest: stash.oldest.map { borders.date(of: $0) }, today: today)
        }
    }

    private func look() {
        lookedAt = home.now
        let (family, clock) = (family, home.store.clock)
        watching = home.store.watch { db -> MilkStash? in
            let now = clock.now()
            let moves = try AccountStore.milk(of: family, since: now.adding(.zero - MilkStash.keeps), db)
            return moves.contains { $0.tenths > 0 && $0.at <= now } ? MilkStash(moves, now: now) : nil
        } deliver: { [weak self] in
            self?.stash = $0
            self?.isRead = true
        }
    }
}
