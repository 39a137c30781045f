import BabyBasicsAPI
import BabyBasicsClient
import Foundation
import GRDB
import Testing

@testable import BabyBasicsKit

/// A device whose clock is wrong.
@Suite struct ServerClockTests {
    @Test func theServersTimeIsLearnedFromItsAnswers() {
        let clock = ServerClock(KitEnvironment(now: { Timestamp(milliseconds: 7_200_000) }), offset: 0)
        let hourBehind = Timestamp(milliseconds: 3_600_000)
        // An answer that was held tells nothing.
        #expect(clock.learn(date: hourBehind, sent: 7_190_000, arrived: 7_200_000) == nil)
        #expect(clock.learn(date: hourBehind, sent: 7_199_000, arrived: 7_200_000) == -3_599_000)
        #expect(clock.now().milliseconds == 3_601_000)
        // Nor does a second more or less.
        #expect(clock.learn(date: hourBehind, sent: 7_198_000, arrived: 7_200_000) == nil)
        // Put right in the settings, it holds again.
        let right = Timestamp(milliseconds: 7_200_000)
        #expect(clock.learn(date: right, sent: 7_199_900, arrived: 7_200_100) == 0)
        #expect(clock.now().milliseconds == 7_200_000)
    }

    @Test func theDateOfAnAnswerIsRead() {
        #expect(Timestamp(httpDate: "Wed, 25 Nov 2026 12:00:05 GMT")?.description == "2026-11-25T12:00:05.000Z")
        #expect(Timestamp(httpDate: "Sun, 01 Feb 2026 00:00:00 GMT")?.description == "2026-02-01T00:00:00.000Z")
        for text in ["", "yesterday", "Wed, 25 Nov 2026 12:00:05 CET", "Wed, 25 Foo 2026 12:00:05 GMT"] {
            #expect(Timestamp(httpDate: text) == nil)
        }
    }

    @Test func whatWaitsIsMadeWhenItWasMadeByTheServersClock() async throws {
        let store = try AccountStore(inMemoryFor: UserID(UUID()))
        let before = store.clock.now()
        try await store.database.write { db in
            try FamilyRow(
                id: FamilyID(UUID()), name: "F", policy: .standard, role: .parent, revision: 1, createdAt: before,
                updatedAt: before
            ).insert(db)
        }
        let family = try await store.families()[0].id
        let child = ChildID(UUID())
        try await store.adopt(
            ServerChild(
                id: child, familyID: family, name: "Wren", dateOfBirth: CalendarDate(daysSince1970: 20_000),
                createdAt: before, revision: 1))
        let entry = try await store.log(NoteDetails(content: "hm", occurredAt: before), for: child)
        let made = try await store.pendingChanges()[0].madeAt
        try await store.setClockOffset(-3_600_000)
        #expect(try await store.pendingChanges()[0].madeAt.since(made) == .seconds(-3600))
        // It is the server that says that the entry itself is in the future.
        let changes = try await store.pendingChanges()
        #expect(try await store.putInTime(changes).isEmpty)
        let shifted = try #require(try await store.entry(entry.id))
        #expect(shifted.at.since(entry.at) == .seconds(-3600))
        #expect(
            try await store.pendingChanges()[0].changes["occurred_at"] == .some(.text(shifted.at.description)))
        #expect(try await store.notices().map(\.notice) == [.clockCorrected])
        // Once is enough: what is refused again is refused.
        #expect(try await store.putInTime(try await store.pendingChanges()).count == 1)
    }
}
