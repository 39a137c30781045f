import BabyBasicsAPI
import JSON

/// A dashboard on its way out.
struct DashboardReply: WrittenFor {
    typealias Answer = DashboardAnswer

    private let facts: DashboardFacts
    /// The seven days, oldest first.
    private let week: [DayTotals]

    init(_ facts: DashboardFacts) {
        self.facts = facts
        week = facts.days
    }

    func write(to json: inout JSONWriter) {
        json.object {
            $0.member(
                "dashboard",
                object: {
                    $0.member("child", facts.week.child)
                    writeDay(to: &$0)
                    if let day = week.last { write(day, to: &$0) }
                    writeEvents(to: &$0)
                    $0.member("week", zip(0..., week).map { entry($0, $1) })
                    $0.member("plans", facts.plans)
                })
        }
    }

    private var holdsPresent: Bool { facts.week.holds(facts.now) }

    private func writeDay(to json: inout JSONWriter) {
        json.member(
            "day",
            object: {
                $0.member("date", facts.week.date)
                $0.member("timezone", facts.week.timeZone)
                $0.member("starts_at", facts.week.start)
                $0.member("ends_at", facts.week.end)
            })
    }

    private func write(_ day: DayTotals, to json: inout JSONWriter) {
        json.member(
            "totals",
            object: {
                $0.member(
                    "feedings",
                    object: {
                        $0.member("count", day.feedings)
                        $0.member("bottle_ml", FieldValue.number(day.bottle))
                        $0.member("breast_minutes", day.breast.minutes)
                    })
                $0.member(
                    "diapers",
                    object: {
                        $0.member("count", day.diapers)
                        $0.member("wet", day.wet)
                        $0.member("dirty", day.dirty)
                        $0.member("mixed", day.mixed)
                        $0.member("dry", day.dry)
                    })
                $0.member(
                    "sleep",
                    object: {
                        $0.member("count", day.sleeps)
                        $0.member("minutes", day.slept.minutes)
                        $0.member("longest_minutes", day.longestSleep.minutes)
                    })
                $0.member("notes", object: { $0.member("count", day.notes) })
            })
    }

    private func writeEvents(to json: inout JSONWriter) {
        json.member(
            "last",
            object: {
                for kind in DashboardQuery.lastKinds { $0.member(kind.name, facts.last(kind)) }
            })
        json.member(
            "ongoing",
            object: {
                $0.member("feeding", holdsPresent ? facts.openFeeding : nil)
                $0.member("sleep", holdsPresent ? facts.openSleep : nil)
            })
    }

    private func entry(_ index: Int, _ day: DayTotals) -> WeekEntry {
        let daysBack = week.count - 1 - index
        return WeekEntry(
            date: CalendarDate(daysSince1970: facts.week.date.daysSince1970 - daysBack), day: day)
    }
}

private struct WeekEntry: JSONWritable {
    let date: CalendarDate
    let day: DayTotals

    func write(to json: inout JSONWriter) {
        json.object {
            $0.member("date", date)
            $0.member("feedings", day.feedings)
            $0.member("bottle_ml", FieldValue.number(day.bottle))
            $0.member("diapers", day.diapers)
            $0.member("sleep_minutes", day.slept.minutes)
        }
    }
}
