import BabyBasicsAPI
import Foundation

/// Who belongs to the child's family, in the order of their accounts. All log but the grandmother, who only looks.
enum Person: Int, CaseIterable {
    case mother, father, caregiver, grandmother
}

struct LoggedEvent {
    let author: Person
    let at: Minute
    let item: EventBatch.Item
}

/// The days of a child's life as its family would have logged them: always the same for the same child and seed.
struct History {
    let seed: Int
    let born: CalendarDate
    /// Nothing begins or ends after it. What is going on then has no end yet.
    let now: Minute
    let days: LocalDays

    /// What began in the last so many days, in order. Never before birth.
    func events(lastDays count: Int) -> [LoggedEvent] {
        let age = days.shown(now).date.daysSince1970 - born.daysSince1970
        guard age >= 0 else { return [] }
        let ages = max(0, age - count - 1)...age
        return ages.flatMap { events(atAge: $0) }
            .filter { $0.at <= now && $0.at >= now - count * 1440 }
            .sorted { $0.at < $1.at }
    }

    private func events(atAge age: Int) -> [LoggedEvent] {
        let plan = DayPlan(seed: seed, born: born, age: age, days: days)
        var remarks = Dice("\(seed)/remarks/\(age)")
        let fed = Feeds.of(plan, seed: seed)
        let feeds = fed.enumerated().compactMap { index, feed in
            ongoing(feed).map {
                event(plan, index, $0, at: $0.startedAt, remark: remark(feed, &remarks))
            }
        }
        let changes = diapers(plan, seed: seed).enumerated().map { index, diaper in
            event(plan, index, diaper, at: diaper.occurredAt, remark: remark(diaper, &remarks))
        }
        let sleeps =
            (plan.naps.map { ($0, SleepDetails.Time.nap) }
            + plan.nights.map { ($0, .night) })
            .enumerated().map { index, sleep in
                let (span, type) = sleep
                let start = Timestamp(minute: span.lowerBound)
                let end = span.upperBound > now ? nil : Timestamp(minute: span.upperBound)
                let details = SleepDetails(type: type, startedAt: start, endedAt: end)
                return event(plan, index, details, at: start, remark: nil)
            }
        let remembered = notes(plan, seed: seed).enumerated().map { index, note in
            event(plan, index, note, at: note.occurredAt, remark: nil)
        }
        return feeds + changes + sleeps + remembered + pumped(plan) + health(plan) + played(plan, among: fed)
    }

    private func pumped(_ plan: DayPlan) -> [LoggedEvent] {
        pumpings(plan, seed: seed).enumerated().filter { isOver($1.endedAt) }.map { index, pumping in
            event(plan, index, pumping, at: pumping.startedAt, by: .mother, remark: nil)
        }
    }

    private func health(_ plan: DayPlan) -> [LoggedEvent] {
        measurements(plan, seed: seed).enumerated().map { index, measurement in
            event(plan, index, measurement, at: measurement.occurredAt, remark: nil)
        }
            + temperatures(plan, seed: seed).enumerated().map { index, temperature in
                event(plan, index, temperature, at: temperature.occurredAt, remark: nil)
            }
            + medications(plan, seed: seed).enumerated().map { index, medication in
                event(plan, index, medication, at: medication.occurredAt, remark: nil)
            }
    }

    private func played(_ plan: DayPlan, among feeds: [FeedingDetails]) -> [LoggedEvent] {
        activities(plan, among: feeds, seed: seed).enumerated().filter { isOver($1.endedAt) }.map { index, activity in
            event(plan, index, activity, at: activity.startedAt, remark: nil)
        }
    }

    /// What goes on is noted down once it is over.
    private func isOver(_ end: Timestamp?) -> Bool { end.map { $0.minute <= now } ?? true }

    /// A feed that is not over: at the breast it goes on; any other is noted down once it is over.
    private func ongoing(_ feed: FeedingDetails) -> FeedingDetails? {
        guard let end = feed.endedAt, end.minute > now else { return feed }
        guard feed.type == .breast else { return nil }
        var feed = feed
        feed.endedAt = nil
        return feed
    }

    private func event<Details: EventDetails>(
        _ plan: DayPlan, _ index: Int, _ details: Details, at time: Timestamp, by person: Person? = nil,
        remark: String?
    ) -> LoggedEvent {
        var dice = Dice("\(seed)/\(Details.kind.name)/\(born)/\(plan.age)/\(index)")
        return LoggedEvent(
            author: person ?? author(plan, at: time.minute), at: time.minute,
            item: EventBatch.Item(
                EventDraft(id: Identifier(dice.uuid()), details, notes: remark)))
    }

    /// The caregiver comes on most weekdays; nights and all the rest the parents share.
    private func author(_ plan: DayPlan, at minute: Minute) -> Person {
        let (date, minutes) = days.shown(minute)
        var today = Dice("\(seed)/shifts/\(plan.age)")
        let isFathersNight = plan.age.isMultiple(of: 2)
        if minute >= plan.bed { return isFathersNight ? .father : .mother }
        // 1970-01-01 was a Thursday.
        let isWeekday = (date.daysSince1970 + 3) % 7 < 5
        if isWeekday, today.chance(0.85), (510..<1020).contains(minutes) { return .caregiver }
        return (minutes / 150).isMultiple(of: 2) == isFathersNight ? .mother : .father
    }

    private func remark(_ feed: FeedingDetails, _ dice: inout Dice) -> String? {
        guard dice.chance(0.07) else { return nil }
        return switch feed.type {
        case .breast: dice.pick(["Fell asleep at it", "Very distracted", "Latched at once"])
        case .bottle: dice.pick(["Left the last bit", "Took it slowly", "Spat some up afterwards"])
        case .solid:
            dice.pick(["Loved it", "Mostly on the floor", "Made a face, then wanted more"])
        }
    }

    private func remark(_ diaper: DiaperDetails, _ dice: inout Dice) -> String? {
        guard diaper.type == .mixed || diaper.type == .dirty, dice.chance(0.08) else { return nil }
        return dice.pick(["Blowout, full change of clothes", "A little red, used cream", "Huge"])
    }
}
