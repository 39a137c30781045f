import BabyBasicsAPI
import Foundation
import Testing

@testable import babybasics_demo

/// 2026-06-10 14:37 in New York; the 90 days before hold the change of the clocks on 8 March when `days` is larger.
private let made = Timestamp(microsecondsSince1970: 1_781_116_620_000_000)

private func history(seed: Int = 1, until now: Timestamp = made) throws -> History {
    let zone = try #require(TimeZone(identifier: Scenario.zoneName))
    return Scenario(seed: seed).history(until: now, zone: zone)
}

private func drafts<Details: EventDetails>(
    _ events: [LoggedEvent], _ type: Details.Type
) -> [EventDraft<Details>] {
    events.compactMap { $0.item.event as? EventDraft<Details> }
}

@Suite("The demo's history")
struct HistoryTests {
    @Test("The same seed and moment give the same history, another seed another")
    func deterministic() throws {
        let first = try history().events(lastDays: 90)
        let second = try history().events(lastDays: 90)
        #expect(first.map(\.item) == second.map(\.item))
        #expect(first.map(\.author) == second.map(\.author))
        let other = try history(seed: 2).events(lastDays: 90)
        #expect(Set(ids(first)).isDisjoint(with: ids(other)))
    }

    @Test("Fewer days are a part of more days")
    func nested() throws {
        let many = try history().events(lastDays: 200)
        let few = try history().events(lastDays: 30)
        #expect(few.map(\.item) == Array(many.suffix(few.count).map(\.item)))
        #expect(few.count > 400)
    }

    @Test("Every event has an identifier of its own")
    func identifiers() throws {
        let events = try history().events(lastDays: 200)
        #expect(Set(ids(events)).count == events.count)
        #expect(EventBatch(events.map(\.item)).isIdentified)
    }

    @Test("Nothing is in the future, whenever the demo is made", arguments: 0..<48)
    func future(_ halfHour: Int) throws {
        let now = made.adding(.seconds(halfHour * 1800 + 59))
        let events = try history(until: now).events(lastDays: 5)
        for event in events {
            let times = try event.draft.times()
            #expect(!times.isEmpty)
            #expect(times.allSatisfy { $0 <= now })
            #expect(times == times.sorted())
            #expect(times[0].minute == event.at)
        }
        let ongoing = drafts(events, SleepDetails.self).filter { $0.details.endedAt == nil }
        #expect(ongoing.count <= 1)
    }

    @Test("Sleeps never overlap, also where the clocks change", arguments: 1...20)
    func sleeps(_ seed: Int) throws {
        let sleeps = drafts(try history(seed: seed).events(lastDays: 200), SleepDetails.self)
            .map(\.details).sorted { $0.startedAt < $1.startedAt }
        for (sleep, next) in zip(sleeps, sleeps.dropFirst()) {
            let end = try #require(sleep.endedAt)
            #expect(sleep.startedAt < end)
            #expect(end <= next.startedAt)
        }
    }

    @Test("Nobody is fed, changed or written about while asleep", arguments: 1...5)
    func awake(_ seed: Int) throws {
        let events = try history(seed: seed).events(lastDays: 120)
        let sleeps = drafts(events, SleepDetails.self).map(\.details)
        // The mother pumps while the child sleeps.
        for event in events where !["sleep", "pumping"].contains(event.item.type) {
            let at = Timestamp(minute: event.at)
            #expect(!sleeps.contains { $0.startedAt < at && at < $0.endedAt ?? made })
        }
    }

    @Test("Each day is believable", arguments: 1...10)
    func counts(_ seed: Int) throws {
        let events = try history(seed: seed).events(lastDays: 180)
        let morning = made.minute - 180 * 1440
        for day in 1..<180 {
            let today = events.filter { ($0.at - morning) / 1440 == day }
            let feeds = drafts(today, FeedingDetails.self)
            let milk = feeds.filter { $0.details.type != .solid }
            #expect((3...13).contains(milk.count), "milk on day \(day)")
            #expect(feeds.count - milk.count <= 4)
            #expect((4...14).contains(drafts(today, DiaperDetails.self).count))
            #expect((3...12).contains(drafts(today, SleepDetails.self).count))
            #expect(drafts(today, NoteDetails.self).count <= 6)
            let asleep = drafts(today, SleepDetails.self).reduce(Duration.zero) {
                $0 + ($1.details.endedAt ?? made).since($1.details.startedAt)
            }
            #expect(asleep > .seconds(8 * 3600) && asleep < .seconds(19 * 3600))
        }
    }

    @Test(
        "A growth curve has points, a fever its medicine, and a mother who pumps does not do it all day",
        arguments: 1...5)
    func otherKinds(_ seed: Int) throws {
        let events = try history(seed: seed).events(lastDays: 90)
        let weights = drafts(events, MeasurementDetails.self).compactMap(\.details.weightG)
        #expect(weights.count >= 13)
        #expect(zip(weights, weights.dropFirst()).allSatisfy { $1 > $0 - 100 } && weights.last ?? 0 > weights[0] + 1000)
        #expect(drafts(events, MeasurementDetails.self).filter { $0.details.headCm != nil }.count == 3)
        let pumped = drafts(events, PumpingDetails.self).count
        #expect((90...180).contains(pumped))
        #expect(events.filter { $0.item.type == "pumping" }.allSatisfy { $0.author == .mother })
        #expect(Set(drafts(events, ActivityDetails.self).map(\.details.name)) == ["Tummy time", "Walk", "Bath"])

        let given = drafts(events, MedicationDetails.self).map(\.details).filter { $0.name == "Paracetamol" }
        #expect(zip(given, given.dropFirst()).allSatisfy { $1.occurredAt.since($0.occurredAt) >= .seconds(6 * 3600) })
        for fever in drafts(events, TemperatureDetails.self).map(\.details) where fever.celsius >= 38.2 {
            #expect(given.contains { abs($0.occurredAt.minute - fever.occurredAt.minute) < 6 * 60 })
        }
        #expect(!given.isEmpty)
    }

    @Test("Nobody is bathed while being fed", arguments: 1...5)
    func oneThingAtATime(_ seed: Int) throws {
        let events = try history(seed: seed).events(lastDays: 200)
        let feeds = drafts(events, FeedingDetails.self).map(\.details)
        let sleeps = drafts(events, SleepDetails.self).map(\.details)
        let busy =
            (feeds.map { ($0.startedAt, $0.endedAt ?? made) } + sleeps.map { ($0.startedAt, $0.endedAt ?? made) })
        for activity in drafts(events, ActivityDetails.self).map(\.details) {
            let end = try #require(activity.endedAt)
            #expect(!busy.contains { $0.0 < end && activity.startedAt < $0.1 }, "\(activity)")
        }
    }

    @Test("By day feeds come every two to four hours, further apart with age; solids come late")
    func drift() throws {
        let all = try (1...10).flatMap { seed in
            let feeds = drafts(
                try history(seed: seed).events(lastDays: 200), FeedingDetails.self
            ).map(\.details)
            let born = made.minute - Scenario.age * 1440
            let milk = feeds.filter { $0.type != .solid }.map(\.startedAt.minute)
            let solids = feeds.filter { $0.type == .solid }.map(\.startedAt.minute)
            #expect(solids.allSatisfy { ($0 - born) / 1440 >= 163 })
            #expect(solids.count > 25)
            return zip(milk, milk.dropFirst()).map { (age: ($0 - born) / 1440, gap: $1 - $0) }
        }
        func median(_ ages: Range<Int>) -> Int {
            let gaps = all.filter { ages.contains($0.age) }.map(\.gap).sorted()
            return gaps[gaps.count / 2]
        }
        #expect((110...150).contains(median(0..<20)))
        #expect((180...240).contains(median(180..<200)))
        #expect(median(0..<20) < median(80..<100) && median(80..<100) < median(180..<200))
        #expect(all.allSatisfy { $0.gap >= 45 })
    }

    @Test("Nights consolidate and naps become fewer")
    func consolidation() throws {
        let sleeps = try (1...10).flatMap { seed in
            drafts(try history(seed: seed).events(lastDays: 200), SleepDetails.self).map(\.details)
        }
        func count(_ type: SleepDetails.Time, _ lastDays: Range<Int>) -> Int {
            sleeps.filter {
                $0.type == type && lastDays.contains((made.minute - $0.startedAt.minute) / 1440)
            }.count
        }
        #expect(count(.nap, 0..<30) < count(.nap, 80..<110))
        #expect(count(.night, 0..<30) < count(.night, 80..<110))
    }

    @Test("All of it is within the contract's limits", arguments: 1...5)
    func limits(_ seed: Int) throws {
        for event in try history(seed: seed).events(lastDays: 200) {
            switch event.item.event {
            case let feed as EventDraft<FeedingDetails>:
                let details = feed.details
                #expect((details.side != nil) == (details.type == .breast))
                #expect((details.amountMl != nil) == (details.type == .bottle))
                #expect((details.content != nil) == (details.type == .bottle))
                #expect((details.food != nil) == (details.type == .solid))
                #expect(details.amountMl.map { $0 > 0 && $0 <= 1000 } ?? true)
                #expect((details.food ?? "").count <= 200)
                #expect((feed.notes ?? "").count <= 2000)
                #expect((details.endedAt ?? made).since(details.startedAt) < .seconds(3600))
            case let sleep as EventDraft<SleepDetails>:
                let end = sleep.details.endedAt ?? made
                #expect(end.since(sleep.details.startedAt) < EventKind.longest)
            case let note as EventDraft<NoteDetails>:
                #expect((1...5000).contains(note.details.content.count))
            case let pumping as EventDraft<PumpingDetails>:
                #expect(pumping.details.amountMl.map { $0 > 0 && $0 <= 2000 } ?? true)
            case let measurement as EventDraft<MeasurementDetails>:
                let details = measurement.details
                #expect(details.weightG.map { (200...60_000).contains($0) } ?? true)
                #expect(details.lengthCm.map { (20...150).contains($0) } ?? true)
                #expect(details.headCm.map { (15...70).contains($0) } ?? true)
                #expect(details.weightG != nil || details.lengthCm != nil || details.headCm != nil)
            case let temperature as EventDraft<TemperatureDetails>:
                #expect((30...45).contains(temperature.details.celsius))
            case let medication as EventDraft<MedicationDetails>:
                #expect(!medication.details.name.isEmpty && (medication.details.dose ?? "").count <= 50)
            case let activity as EventDraft<ActivityDetails>:
                #expect((1...60).contains(activity.details.name.count))
            default: break
            }
        }
    }

    @Test("Each member but the grandmother logs a fair share, and batches are what the API reads")
    func authors() throws {
        let events = try history().events(lastDays: 90)
        for person in Person.allCases {
            let own = events.filter { $0.author == person }
            #expect(person == .grandmother ? own.isEmpty : own.count > events.count / 6)
        }
        let batch = EventBatch(Array(events.prefix(500).map(\.item)))
        let read = try JSONDecoder.contract.decode(
            EventBatch.self, from: try JSONEncoder.contract.encode(batch))
        #expect(read == batch)
    }
}

private func ids(_ events: [LoggedEvent]) -> [UUID] { events.compactMap { try? $0.draft.id() } }

extension LoggedEvent {
    /// The event as it is sent.
    fileprivate var draft: Draft { Draft(event: item.event) }

    fileprivate struct Draft {
        let event: any Codable & Hashable & Sendable

        private func members() throws -> [String: Any] {
            let data = try JSONEncoder.contract.encode(event)
            return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
        }

        func id() throws -> UUID? { (try members()["id"] as? String).flatMap { UUID(uuidString: $0) } }

        /// When it begins, and when it ends where its kind has an end.
        func times() throws -> [Timestamp] {
            let members = try members()
            let times = ["started_at", "occurred_at", "ended_at"].compactMap { members[$0] as? String }
            return times.compactMap { Timestamp($0) }
        }
    }
}
