import BabyBasicsAPI
import Foundation

extension Today {
    /// Two sleeps that this person made overlap, or two doses too near to each other: said once, with a way to the
    /// other one.
    public struct Overlap: Hashable, Sendable {
        /// The one that was touched later.
        public let one: StoredEntry
        /// The other one.
        public let other: StoredEntry
        /// `This nap overlaps with the nap from 13:10 by Rosa.`
        public let text: String

        fileprivate var name: String { "\(one.id.text) \(other.id.text)" }
    }

    private static let rememberedOverlaps = 40

    /// The latest of the last day. It goes by itself when it is put right.
    func findOverlap(_ sleeps: [StoredEntry]) -> Overlap? {
        let seen = seenOverlaps
        return (findOverlaps(sleeps) + findTooNear()).first { !seen.contains($0.name) }
    }

    private func findOverlaps(_ sleeps: [StoredEntry]) -> [Overlap] {
        let since = home.now.adding(.seconds(-86_400))
        let me = home.store.userID
        return Overlaps.made(by: me, since: since, among: sleeps)
            .map { [home] pair in
                Overlap(
                    one: pair.one, other: pair.other, text: home.texts.overlap(pair, me: me))
            }
    }

    /// The person has seen it.
    public func dismiss(_ overlap: Overlap) {
        let seen = [overlap.name] + seenOverlaps.prefix(Self.rememberedOverlaps - 1)
        home.configuration.preferences.set(try? StoredJSON.text(seen), for: PreferenceKey.seenOverlaps)
        seeOverlap()
    }

    private var seenOverlaps: [String] {
        home.configuration.preferences.string(PreferenceKey.seenOverlaps)
            .flatMap { try? StoredJSON.value([String].self, $0) } ?? []
    }
}
