import BabyBasicsAPI
import Foundation
import Testing

@Suite("Events on the wire")
struct EventTests {
    private let time = Timestamp("2026-02-25T12:00:00Z") ?? Timestamp(microsecondsSince1970: 0)

    private func members(_ value: some Encodable) throws -> Set<String> {
        let data = try JSONEncoder.contract.encode(value)
        let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        return Set(try #require(object).keys)
    }

    private func again<Value: Codable>(_ value: Value) throws -> Value {
        try JSONDecoder.contract.decode(Value.self, from: JSONEncoder.contract.encode(value))
    }

    private let id = "0199c3a5-7d7a-7c3e-9a51-2f6b8a1d4e70"

    /// An event as the server writes it, and as a client reads it.
    private func event<Details: EventDetails>(_ details: Details) throws -> (
        text: String, value: Event<Details>
    ) {
        let draft = EventDraft(details, notes: "n")
        let own = String(decoding: try JSONEncoder.contract.encode(draft), as: UTF8.self)
            .dropFirst()
        let text = """
            {"id":"\(id)","child_id":"\(id)","created_by":{"user_id":null,"name":"Maria"},"updated_by":null,\
            "created_at":"\(time)","updated_at":"\(time)","revision":7,\(own)
            """
        return (text, try read(text))
    }

    private func read<Value: Decodable>(_ text: String) throws -> Value {
        try JSONDecoder.contract.decode(Value.self, from: Data(text.utf8))
    }

    /// The description and the Swift type of a kind are written one below the other; this is what holds them together.
    @Test("A kind's Swift type has the members that its description names")
    func descriptions() throws {
        let feeding = FeedingDetails(
            type: .bottle, startedAt: time, endedAt: time, side: .left, leftMinutes: 5, rightMinutes: 0,
            lastSide: .right,
            amountMl: 120.5, content: .formula, food: "Pear")
        let diaper = DiaperDetails(type: .wet, occurredAt: time, color: .yellow)
        let sleep = SleepDetails(type: .nap, startedAt: time, endedAt: time)
        let note = NoteDetails(content: "x", occurredAt: time)
        func check<Details: EventDetails>(_ details: Details) throws {
            let named = Set(Details.kind.fields.map(\.name))
            #expect(try members(EventDraft(details, notes: "n")) == named)
            let (text, event) = try event(details)
            #expect(event.details == details)
            #expect(event.notes == "n" && event.createdBy.name == "Maria" && event.revision == 7)
            #expect(
                try again(EventDraft(id: event.id, details)) == EventDraft(id: event.id, details))
            let name = Details.kind.name
            #expect(
                try read("{\"\(name)\":\(text)}") as EventAnswer<Details>
                    == EventAnswer(event: event))
            let warning = "{\"code\":\"OVERLAP\",\"event_id\":\"\(id)\"}"
            let warnings = [EventWarning(code: .overlap, eventId: event.anyID)]
            #expect(
                try read("{\"\(name)\":\(text),\"warnings\":[\(warning)]}")
                    as EventAnswer<Details>
                    == EventAnswer(event: event, warnings: warnings))
            #expect(
                try read("{\"\(Details.kind.plural)\":[\(text)],\"count\":1,\"next_cursor\":\"c\"}")
                    as EventList<Details>
                    == EventList(events: [event], nextCursor: "c"))
            let item = "{\"type\":\"\(name)\",\"at\":\"\(time)\",\"event\":\(text)}"
            #expect(try read(item) as TimelineItem == TimelineItem(at: time, event))
            let answer: EventBatchAnswer = try read(
                """
                {"events":[\(item),{"type":"\(name)","id":"\(id)","event":null,"deleted":true}],"count":2}
                """)
            #expect(answer.events[0].item == TimelineItem(at: time, event))
            #expect(answer.events[1] == .deleted(type: name, id: event.anyID))
            let batch = EventBatch([EventBatch.Item(EventDraft(details))])
            #expect(try again(batch) == batch)
        }
        try check(feeding)
        try check(diaper)
        try check(sleep)
        try check(note)
        try check(PumpingDetails(startedAt: time, endedAt: time, side: .both, amountMl: 90.5))
        try check(MeasurementDetails(occurredAt: time, weightG: 4350, lengthCm: 54.5, headCm: 37.2))
        try check(TemperatureDetails(occurredAt: time, celsius: 38.9, site: .ear))
        try check(MedicationDetails(occurredAt: time, name: "Paracetamol", dose: "2.5 ml", planId: PlanID(id)))
        try check(ActivityDetails(startedAt: time, endedAt: time, name: "Bath"))
        try check(DiscardDetails(occurredAt: time, amountMl: 60))
        #expect(try event(feeding).value.startedAt == time)
        #expect(
            EventKind.all.map(\.plural) == [
                "feedings", "diapers", "sleeps", "notes", "pumpings", "measurements", "temperatures",
                "medications", "activities", "discards",
            ])
    }

    @Test("A kind that this version does not know is an item without an event")
    func unknownKinds() throws {
        let text = #"{"type":"vaccination","at":"2026-02-25T12:00:00.000Z","event":{"id":5}}"#
        let item = try JSONDecoder.contract.decode(TimelineItem.self, from: Data(text.utf8))
        #expect(item.type == "vaccination")
        #expect(item.event == nil)
    }

    @Test(
        "Tenths are exact, in text and in JSON",
        arguments: [
            ("120", 1200), ("33.3", 333), ("0.1", 1), ("-0.5", -5), ("999.9", 9999),
            ("1000000", 10_000_000),
        ])
    func tenths(_ text: String, _ tenths: Int) throws {
        let value = Tenths(tenths: tenths)
        #expect(value.description == text)
        #expect(String(decoding: try JSONEncoder().encode([value]), as: UTF8.self) == "[\(text)]")
        #expect(try JSONDecoder().decode([Tenths].self, from: Data("[\(text)]".utf8)) == [value])
        #expect(try JSONDecoder().decode([Tenths].self, from: Data("[\(text)e0]".utf8)) == [value])
    }

    @Test("33.3 as a literal is 333 tenths, 12 is 120")
    func literals() {
        #expect((33.3 as Tenths).tenths == 333)
        #expect((0.7 as Tenths).tenths == 7)
        #expect((12 as Tenths).tenths == 120)
    }

    @Test(
        "More than one decimal is no number of tenths",
        arguments: ["0.05", "1e-2", "1e13", "1e400"])
    func notTenths(_ text: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Tenths].self, from: Data("[\(text)]".utf8))
        }
    }

    @Test("A patch that moves an event names the other child")
    func moving() throws {
        let child = ChildID(UUID())
        let changes: EventChanges = ["childId": .child(child)]
        let text = String(decoding: try JSONEncoder.contract.encode(changes), as: UTF8.self)
        #expect(text == #"{"child_id":"\#(child)"}"#)
    }

    @Test("A merge patch names what changes, and null what goes")
    func changes() throws {
        let changes: EventChanges = [
            "endedAt": .time(time), "notes": .nothing, "amountMl": .number(33.3),
            "type": .text("bottle"),
        ]
        let encoder = JSONEncoder.contract
        encoder.outputFormatting = .sortedKeys
        #expect(
            String(decoding: try encoder.encode(changes), as: UTF8.self)
                == #"{"amount_ml":33.3,"ended_at":"2026-02-25T12:00:00.000Z","notes":null,"type":"bottle"}"#
        )
        #expect(try again(changes) == changes)
    }
}
