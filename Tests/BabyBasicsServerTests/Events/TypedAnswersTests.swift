import BabyBasicsAPI
import Foundation
import Postgres
import TestSupport
import Testing

@testable import BabyBasicsServer

/// The server writes events from their rows, without the API's types between: here both meet.
@Suite("Answers of tracking, read as the endpoints' types")
struct TypedAnswersTests {
    let nursery: Nursery

    init() throws {
        nursery = try Nursery()
    }

    private func read<Input, Output>(
        _ endpoint: Endpoint<Input, Output>, _ answer: Answer
    ) throws -> Output {
        try JSONDecoder.contract.decode(Output.self, from: Data(answer.body))
    }

    private func body(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder.contract.encode(value), as: UTF8.self)
    }

    @Test("A feeding through its types: made, read, changed, listed")
    func feeding() throws {
        let start = try #require(Timestamp("2026-02-25T12:00:00Z"))
        let draft = EventDraft(
            FeedingDetails(type: .bottle, startedAt: start, amountMl: 33.3, content: .mixed),
            notes: "n")
        let made = try read(
            Endpoints.createEvent(FeedingDetails.self),
            nursery.send("POST", "feedings", raw: try body(draft)))
        #expect(made.event.details == draft.details)
        #expect(made.event.createdBy.userId?.description == nursery.parent.id)
        #expect(made.warnings == [])
        let changed = try read(
            Endpoints.updateEvent(FeedingDetails.self),
            nursery.send(
                "PATCH", "feedings/\(made.event.id)",
                raw: try body(["amountMl": .number(50), "notes": .nothing] as EventChanges)))
        #expect(changed.event.amountMl == 50)
        #expect(changed.event.notes == nil)
        let list = try read(
            Endpoints.listEvents(FeedingDetails.self), nursery.send("GET", "feedings"))
        #expect(list == EventList(events: [changed.event], nextCursor: nil))
        #expect(changed.event.revision == made.event.revision + 1)
    }

    @Test("A batch, its warnings and the timeline through their types")
    func batch() throws {
        let start = try #require(Timestamp("2026-02-25T12:00:00Z"))
        let end = start.adding(.seconds(3600))
        let batch = EventBatch([
            .init(EventDraft(SleepDetails(startedAt: start, endedAt: end))),
            .init(EventDraft(SleepDetails(type: .nap, startedAt: start, endedAt: end))),
            .init(EventDraft(DiaperDetails(type: .wet, occurredAt: end))),
            .init(EventDraft(NoteDetails(content: "x", occurredAt: start))),
        ])
        let made = try read(
            Endpoints.createEvents, nursery.send("POST", "events", raw: try body(batch)))
        #expect(made.count == 4)
        let sleeps = made.events.compactMap { $0.item?.event as? Sleep }
        #expect(made.events[0].item?.warnings == [.init(code: .overlap, eventId: sleeps[1].anyID)])
        let timeline = try read(
            Endpoints.getTimeline, nursery.send("GET", "timeline?limit=3"))
        #expect(timeline.count == 3)
        #expect(timeline.nextCursor != nil)
        #expect((timeline.events[0].event as? Diaper)?.type == .wet)
    }

    @Test(
        "numeric in binary form",
        arguments: [0, 1, -1, 9, 10, 333, 9999, 99_999, 100_000, 12_345_678_901, -50])
    func numeric(_ tenths: Int) throws {
        let value = Tenths(tenths: tenths)
        let (text, back) = try nursery.server.database.asServer { session in
            try #require(
                try session.first("select (\(value) + 0)::text, \(value)::numeric(20, 1)") {
                    (try $0.next(String.self), try $0.next(Tenths.self))
                })
        }
        #expect(back == value)
        #expect(Double(text) == value.double)
    }

    @Test("A numeric that is no number of tenths is an error, not another number")
    func badNumeric() throws {
        for text in ["0.05", "'NaN'", "1.23", "'infinity'", "1e20"] {
            #expect(throws: PostgresError.self) {
                try nursery.server.database.asServer {
                    try $0.first("select \(unescaped: text)::numeric") { try $0.next(Tenths.self) }
                }
            }
        }
    }
}
