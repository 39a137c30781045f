import BabyBasicsAPI
import Foundation
import GRDB
import Testing

@testable import BabyBasicsKit

/// What others logged while somebody was away, and bottles that belong to a breast feed.
@Suite struct AwayTests {
    private static let start = Timestamp("2026-06-10T12:00:00.000Z") ?? .systemNow
    private let people = ["Rosa": UserID(UUID()), "Tom": UserID(UUID()), "Me": UserID(UUID())]

    private static func at(_ minute: Double) -> Timestamp { start.adding(.seconds(60 * minute)) }

    private func one(
        _ kind: String, _ made: Double, by: String? = "Rosa", start: Double? = nil, _ fields: Fields = [:]
    ) -> StoredEntry {
        let begins = Self.at(start ?? made)
        return StoredEntry(
            id: UUID(), kind: kind, childID: ChildID(UUID()),
            fields: fields.merging(["started_at": .text(begins.description)]) { $1 },
            author: Author(userId: by.flatMap { people[$0] }, name: by ?? ""), createdAt: Self.at(made),
            updatedAt: Self.at(made))
    }

    private func said(_ entries: [StoredEntry], since: Double = 0, until: Double = 100) throws -> [String] {
        let me = try #require(people["Me"])
        return WhileAway(entries, me: me, since: Self.at(since), until: Self.at(until)).people
            .map { english.person($0) }
    }

    @Test func bottlesWithTheirMilkNapsWithTheirLengthTheRestCounted() throws {
        let bottle: Fields = ["type": .text("bottle"), "amount_ml": .number(120)]
        let nap: Fields = ["type": .text("nap"), "ended_at": .text(Self.at(75).description)]
        let all = [
            one("diaper", 10), one("diaper", 20), one("diaper", 30), one("feeding", 12, bottle),
            one("feeding", 50, bottle), one("sleep", 80, start: 5, nap),
        ]
        #expect(try said(all) == ["Rosa: 2 bottles (240 ml), 1 nap of 1 h 10 min, 3 diapers"])
    }

    @Test func aSleepThatGoesOnHasNoLengthTwoHaveTheirsTogether() throws {
        func nap(_ end: Double?) -> Fields {
            var fields: Fields = ["type": .text("nap")]
            fields["ended_at"] = end.map { .text(Self.at($0).description) }
            return fields
        }
        #expect(try said([one("sleep", 10, nap(nil))]) == ["Rosa: 1 nap"])
        let two = [one("sleep", 30, start: 0, nap(20)), one("sleep", 60, start: 40, nap(60))]
        #expect(try said(two) == ["Rosa: 2 naps (40 min)"])
    }

    @Test func nothingOfOnesOwnOfBeforeOrOfWhatWasSeenComingIn() throws {
        let all = [one("diaper", 10, by: "Me"), one("diaper", -1), one("diaper", 0), one("diaper", 101)]
        #expect(try said(all).isEmpty)
    }

    @Test func whoeverLoggedMostComesFirstAndWhoHasNoAccountAnyMoreIsSomeone() throws {
        let all = [one("note", 1, by: "Tom"), one("diaper", 2), one("medication", 3), one("bath", 4)]
        #expect(try said(all) == ["Rosa: 1 diaper, 1 medicine, 1 other entry", "Tom: 1 note"])
        #expect(try said([one("note", 1, by: nil)]) == ["Someone: 1 note"])
    }

    @Test func aBottleWithinHalfAnHourOfABreastFeedsEndBelongsToIt() {
        func feed(_ type: String, _ from: Double, to: Double? = nil) -> StoredEntry {
            var fields: Fields = ["type": .text(type)]
            fields["ended_at"] = to.map { .text(Self.at($0).description) }
            return one("feeding", from, fields)
        }
        let breast = feed("breast", 0, to: 20)
        let (early, late, other) = (feed("bottle", 30), feed("bottle", 50), feed("bottle", 51))
        let solid = feed("solid", 40)
        let whole = WholeFeed(late, lately: [late, solid, early, breast])
        #expect(whole.first.id == breast.id && whole.bottles.map(\.id) == [early.id, late.id])
        #expect(WholeFeed(other, lately: [other, breast]).first.id == other.id)
        #expect(WholeFeed(breast, lately: [breast]).bottles.isEmpty)
        #expect(WholeFeed(solid, lately: [solid, early, breast]).first.id == solid.id)
    }

    @MainActor @Test func whatWasSeenIsGoneWithATapAndNothingIsMissedTheFirstTime() async throws {
        let clock = TestClock()
        let (home, child) = try await previewHome(clock)
        let first = Away(home, child: child.id)
        try await eventually { try await looked(home) == 1 }
        #expect(first.text == nil)
        let server = ServerEvent(
            id: UUID(), kind: "diaper",
            fields: [
                "child_id": .text(child.id.description), "type": .text("wet"),
                "occurred_at": .text(clock.now.description),
            ], author: Author(userId: people["Rosa"], name: "Rosa"), createdAt: clock.now.adding(.seconds(30)),
            updatedAt: clock.now, revision: 9)
        clock.advance(.seconds(3600))
        try await home.store.apply([server], family: child.familyID)
        let again = Away(home, child: child.id)
        try await eventually { again.text?.hasSuffix("Rosa: 1 diaper") == true }
        await again.dismiss()
        try await eventually { again.text == nil }
        // What Rosa logged before that, and this phone hears of only now, was not seen.
        clock.advance(.seconds(3600))
        let late = one(of: server)
        try await home.store.apply([late], family: child.familyID)
        let later = Away(home, child: child.id)
        try await eventually { later.text?.hasSuffix("Rosa: 1 diaper") == true }
        await later.dismiss()
        try await eventually { again.text == nil && later.text == nil }
        // Another process that knew less takes nothing back.
        await again.keep(server.createdAt)
        let third = Away(home, child: child.id)
        try await home.store.apply([one(of: late)], family: child.familyID)
        try await eventually { third.text?.hasSuffix("Rosa: 1 diaper") == true }
    }

    /// Another one, a minute later.
    private func one(of event: ServerEvent) -> ServerEvent {
        var next = event
        next.id = UUID()
        next.createdAt = event.createdAt.adding(.seconds(60))
        return next
    }

    @MainActor private func looked(_ home: Home) async throws -> Int {
        try await home.store.database.read { try Int.fetchOne($0, sql: "select count(*) from looked") ?? 0 }
    }
}
