import BabyBasicsAPI
import Testing

@testable import BabyBasicsServer

@Suite("A position in a family's changes")
struct SyncPositionTests {
    private let today = CalendarDate(daysSince1970: 20_782)

    private func day(_ ago: Int) -> CalendarDate { CalendarDate(daysSince1970: today.daysSince1970 - ago) }

    @Test("A database that was never restored gives revisions as they are")
    func plain() {
        let feed = FeedState(generation: 0, last: 9, purged: 0)
        #expect(SyncPosition(since: 7).advanced(to: 9, in: feed, today: today).since == 9)
        #expect(SyncPosition(since: 7).isComplete(in: feed, today: today))
    }

    @Test("Numbers are kept exactly by every JSON reader", arguments: [0, 1, 20_782, 2_097_151] as [Int64])
    func exact(_ generation: Int64) {
        let feed = FeedState(generation: generation, last: 4_294_967_295, purged: 4_294_967_295)
        for revision in [1, 4_294_967_295] as [Int64] {
            let position = SyncPosition(since: 0).advanced(to: revision, in: feed, today: today)
            #expect((1..<(1 << 53)).contains(position.since))
            #expect(position.revision == revision)
            let again = SyncPosition(since: position.since)
            #expect(again == position && again.isComplete(in: feed, today: today))
        }
    }

    @Test(
        "Whoever begins has 28 days to pass what was purged, in every generation",
        arguments: [0, 5, 2_097_000] as [Int64])
    func beginning(_ generation: Int64) {
        let feed = FeedState(generation: generation, last: 9, purged: 6)
        for (ago, isComplete) in [(0, true), (28, true), (29, false)] {
            let position = SyncPosition(since: 0).advanced(to: 3, in: feed, today: day(ago))
            #expect(position.isComplete(in: feed, today: today) == isComplete)
            // The day it began stays the same on the way.
            #expect(position.advanced(to: 4, in: feed, today: today).isComplete(in: feed, today: today) == isComplete)
        }
        let arrived = SyncPosition(since: 0).advanced(to: 6, in: feed, today: day(400))
        #expect(arrived.isComplete(in: feed, today: today))
        let behind = FeedState(generation: generation, last: 9, purged: 7)
        #expect(!arrived.isComplete(in: behind, today: today))
    }

    /// The nearest and the furthest that a restore may bring: see `Connection.noticeCopy`.
    @Test(
        "No position of one generation is one of the next, or of the one before",
        arguments: [32_768, 32_769, 1_000_000, 32_768 + 2_031_615] as [Int64])
    func generations(_ step: Int64) {
        for generation in [0, 20_782, 2_090_000] as [Int64] {
            let old = FeedState(generation: generation, last: 9, purged: 9)
            let new = FeedState(generation: (generation + step) % 2_097_152, last: 9, purged: 9)
            for (from, to) in [(old, new), (new, old)] {
                let synced = SyncPosition(since: 0).advanced(to: 9, in: from, today: today)
                #expect(synced.isComplete(in: from, today: today) && !synced.isComplete(in: to, today: today))
                let beginners = (0..<30).filter {
                    SyncPosition(since: 0).advanced(to: 3, in: from, today: day($0)).isComplete(in: to, today: today)
                }
                #expect(beginners == [])
            }
        }
    }

    @Test(
        "What no database gives is refused",
        arguments: [1 << 53 | 7, 9_007_199_254_740_991, .max, 1 << 32 | 7] as [Int64])
    func strange(_ since: Int64) {
        let feed = FeedState(generation: 0, last: 4_294_967_295, purged: 0)
        #expect(!SyncPosition(since: since).isComplete(in: feed, today: today))
    }
}
