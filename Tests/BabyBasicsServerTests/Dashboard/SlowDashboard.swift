import BabyBasicsAPI
import Foundation

/// A dashboard computed slowly and in another way: clocks are read minute by minute through Foundation, events are looked at one by one for every day.
/// All times are whole seconds since 1970.
struct SlowDashboard {
    struct Event {
        let kind: String
        let id: String
        let type: String
        let start: Int
        var end: Int?
        var tenths: Int?
        var isDeleted = false
    }

    let zone: TimeZone
    /// Minutes after midnight.
    let dayStart: Int
    let now: Int
    let events: [Event]

    init(zone: TimeZone, dayStart: Int, now: Int, events: [Event]) {
        self.zone = zone
        self.dayStart = dayStart
        self.now = now
        self.events = events.filter { !$0.isDeleted }
    }

    /// What the clocks of the zone show, as if it were UTC.
    private func clock(_ moment: Int) -> Int {
        moment + zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(moment)))
    }

    /// When a day (since 1970) begins. A time that is shown twice means the second;
    /// one that is never shown means what a clock that was not put forward would show.
    func begin(_ day: Int) -> Int {
        let wanted = day * 86_400 + dayStart * 60
        var shown: Int?
        var jumped: Int?
        var moment = wanted - 40 * 3600
        while moment <= wanted + 40 * 3600 {
            if clock(moment) == wanted { shown = moment }
            if clock(moment - 60) < wanted, clock(moment) > wanted {
                jumped = moment + wanted - (clock(moment - 60) + 60)
            }
            moment += 60
        }
        return shown ?? jumped ?? wanted
    }

    /// The latest day that has begun.
    var today: Int {
        let day = clock(now) / 86_400
        return (day - 3...day + 1).last { begin($0) <= now } ?? day
    }

    func answer(_ day: Int) -> JSON {
        let (start, end) = (begin(day), begin(day + 1))
        let feedings = of("feeding", from: start, to: end)
        let diapers = of("diaper", from: start, to: end)
        let breast = feedings.filter { $0.type == "breast" }.reduce(0) { sum, feeding in
            sum + (feeding.end.map { $0 - feeding.start } ?? 0)
        }
        let parts = sleepParts(from: start, to: end)
        let isNow = start <= now && now < end
        return [
            "day": [
                "date": text(day), "timezone": .string(zone.identifier), "starts_at": time(start),
                "ends_at": time(end),
            ],
            "totals": [
                "feedings": [
                    "count": number(feedings.count), "bottle_ml": bottle(feedings),
                    "breast_minutes": number(breast / 60),
                ],
                "diapers": [
                    "count": number(diapers.count),
                    "wet": number(diapers.count { $0.type == "wet" }),
                    "dirty": number(diapers.count { $0.type == "dirty" }),
                    "mixed": number(diapers.count { $0.type == "mixed" }),
                    "dry": number(diapers.count { $0.type == "dry" }),
                ],
                "sleep": [
                    "count": number(parts.count), "minutes": number(union(parts) / 60),
                    "longest_minutes": number((parts.map(\.count).max() ?? 0) / 60),
                ],
                "notes": ["count": number(of("note", from: start, to: end).count)],
            ],
            "last": [
                "feeding": latest { $0.kind == "feeding" && $0.start < end },
                "diaper": latest { $0.kind == "diaper" && $0.start < end },
                "sleep": latest { $0.kind == "sleep" && $0.start < end },
                "medication": latest { $0.kind == "medication" && $0.start < end },
                "temperature": latest { $0.kind == "temperature" && $0.start < end },
            ],
            "ongoing": [
                "feeding": latest {
                    isNow && $0.kind == "feeding" && $0.type == "breast" && $0.end == nil
                        && $0.start >= now - 4 * 3600
                },
                "sleep": latest { isNow && $0.kind == "sleep" && $0.end == nil && $0.start > now - 86_400 },
            ],
            "week": .array((day - 6...day).map(entry)),
        ]
    }

    private func entry(_ day: Int) -> JSON {
        let (start, end) = (begin(day), begin(day + 1))
        let feedings = of("feeding", from: start, to: end)
        return [
            "date": text(day), "feedings": number(feedings.count), "bottle_ml": bottle(feedings),
            "diapers": number(of("diaper", from: start, to: end).count),
            "sleep_minutes": number(union(sleepParts(from: start, to: end)) / 60),
        ]
    }

    private func of(_ kind: String, from start: Int, to end: Int) -> [Event] {
        events.filter { $0.kind == kind && $0.start >= start && $0.start < end }
    }

    private func sleepParts(from start: Int, to end: Int) -> [Range<Int>] {
        events.filter { $0.kind == "sleep" }.compactMap { sleep in
            guard sleep.end != nil || sleep.start > now - 86_400 else { return nil }
            let until = sleep.end ?? max(now, sleep.start)
            if until == sleep.start { return (start..<end).contains(until) ? until..<until : nil }
            let part = (sleep.start..<until).clamped(to: start..<end)
            return part.isEmpty ? nil : part
        }
    }

    /// How many seconds lie in any of the parts, which begin and end at fives.
    private func union(_ parts: [Range<Int>]) -> Int {
        5 * Set(parts.flatMap { stride(from: $0.lowerBound, to: $0.upperBound, by: 5) }).count
    }

    private func bottle(_ feedings: [Event]) -> JSON {
        let tenths = feedings.filter { $0.type == "bottle" }.reduce(0) { $0 + ($1.tenths ?? 0) }
        return .number(Double(tenths) / 10)
    }

    private func latest(_ isMeant: (Event) -> Bool) -> JSON {
        let sorted = events.filter(isMeant).sorted { ($0.start, $0.id) < ($1.start, $1.id) }
        return sorted.last.map { .string($0.id) } ?? .null
    }

    private func number(_ value: Int) -> JSON { .number(Double(value)) }
    private func text(_ day: Int) -> JSON { .string(CalendarDate(daysSince1970: day).description) }
    private func time(_ moment: Int) -> JSON {
        .string(Timestamp(microsecondsSince1970: Int64(moment) * 1_000_000).description)
    }
}
