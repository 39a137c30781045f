import BabyBasicsAPI
import Foundation
import GRDB
import Testing

@testable import BabyBasicsKit

/// What the outbox reads for one request.
@MainActor @Suite struct SendingOrderTests {
    private let clock = TestClock()

    /// By a ratio of the best of ten each, in turn: a request reads what it sends, whatever waits behind it.
    @Test func whatWaitsBehindCostsNothing() async throws {
        let homes = (few: try await home(waiting: 200), many: try await home(waiting: 6400))
        var best = (few: Duration.seconds(600), many: Duration.seconds(600))
        for _ in 0..<10 {
            best.few = min(best.few, try await tenRequests(of: homes.few))
            best.many = min(best.many, try await tenRequests(of: homes.many))
        }
        #expect(best.many < best.few * 8, "\(best)")
    }

    private func tenRequests(of home: Home) async throws -> Duration {
        try await ContinuousClock().measure {
            for _ in 0..<10 { _ = try await home.store.nextBatch(limit: 500) }
        }
    }

    /// With one edit each.
    private func home(waiting: Int) async throws -> Home {
        let (home, child) = try await previewHome(clock)
        let now = clock.now
        try await home.store.write { db, _ in
            let outbox = Outbox(db: db)
            for number in 0..<waiting {
                let fields: Fields = [
                    "child_id": .text(child.id.description), "content": .text("note \(number)"),
                    "occurred_at": .text(now.description),
                ]
                let entry = EntryRow(
                    id: UUID(), kind: "note", familyID: child.familyID, fields: fields, serverFields: fields,
                    author: Author(userId: nil, name: ""), createdAt: now, updatedAt: now, revision: 1)
                try entry.insert(db)
                try outbox.add(.edit, to: entry, changes: ["content": .text("x")], madeAt: now)
            }
        }
        return home
    }

    @Test func creationsTravelTogetherUpToTheFirstOtherChange() async throws {
        let (home, child) = try await previewHome(clock)
        let notes = try await (0..<4).asyncMap { number in
            try await home.store.log(NoteDetails(content: "note \(number)", occurredAt: clock.now), for: child.id)
        }
        // Sent once, so that an edit of it is a change of its own.
        guard case .creations(_, let sent)? = try await home.store.nextBatch(limit: 1) else {
            Issue.record("No creation")
            return
        }
        #expect(sent.map(\.entryID) == [notes[0].id])
        try await home.store.edit(notes[0].id, ["content": .text("other")])
        try await home.store.log(NoteDetails(content: "behind", occurredAt: clock.now), for: child.id)
        guard case .creations(_, let batch)? = try await home.store.nextBatch(limit: 500) else {
            Issue.record("No creations")
            return
        }
        #expect(batch.map(\.entryID) == notes.map(\.id))
    }
}

extension Range<Int> {
    @MainActor fileprivate func asyncMap<Value>(_ transform: (Int) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for number in self { values.append(try await transform(number)) }
        return values
    }
}
