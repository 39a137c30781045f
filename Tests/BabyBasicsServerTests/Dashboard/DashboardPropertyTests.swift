import BabyBasicsAPI
import Foundation
import Postgres
import TestSupport
import Testing

/// Random days in random zones, compared with `SlowDashboard`. DASHBOARD_SEED repeats a failure.
@Suite("Dashboards of random days")
struct DashboardPropertyTests {
    static let zones = [
        "America/New_York", "Europe/London", "Australia/Lord_Howe", "America/Sao_Paulo",
        "Asia/Kolkata", "Pacific/Apia", "Pacific/Chatham", "Antarctica/Troll", "Africa/Casablanca",
        "America/St_Johns", "Asia/Tehran", "Etc/GMT+12", "Pacific/Kiritimati",
    ]
    static let dayStarts = [0, 30, 60, 90, 120, 150, 180, 390, 420, 1380, 1410]

    @Test("They are what a slow computation says")
    func random() throws {
        let given = ProcessInfo.processInfo.environment["DASHBOARD_SEED"].flatMap(UInt64.init)
        let seed = given ?? UInt64.random(in: 0...UInt64.max)
        var random = SplitMix(state: seed)
        let home = try Household()
        let maria = try home.server.member("Maria", of: home.family, by: home.parent)
        let database = home.server.database
        try database.asOwner { session in
            for round in 0..<60 {
                let zones = (0..<2).map { _ in Self.zones.randomElement(using: &random) ?? "UTC" }
                let now = try Self.moment(in: zones[0], using: &random)
                let events = Self.events(around: now, using: &random)
                try Self.store(events, of: home, session)
                for (user, name) in zip([home.parent, maria], zones) {
                    let dayStart = Self.dayStarts.randomElement(using: &random) ?? 0
                    let text = String(format: "%02d:%02d", dayStart / 60, dayStart % 60)
                    try home.live(user, in: name, from: text)
                    let zone = try TimeZone(identifier: name).required()
                    let slow = SlowDashboard(
                        zone: zone, dayStart: dayStart, now: now, events: events)
                    let today = slow.today
                    for day in [
                        nil, today, today - Int.random(in: 1...9, using: &random), today + 1,
                    ] {
                        let date = day.map { CalendarDate(daysSince1970: $0).description }
                        let present = Timestamp(microsecondsSince1970: Int64(now) * 1_000_000)
                        let fast = try home.dashboard(
                            at: present.description, date: date, as: user)
                        #expect(
                            fast.figures == slow.answer(day ?? today),
                            "DASHBOARD_SEED=\(seed), round \(round): \(name) \(text) at \(present), date \(date ?? "today")"
                        )
                    }
                }
            }
        }
    }

    /// Five seconds past some ten, so that the seconds that a request takes change no minute. Two in three lie near a change of the clocks.
    static func moment(in name: String, using random: inout SplitMix) throws -> Int {
        let zone = try TimeZone(identifier: name).required()
        let any = Int.random(in: 946_684_800...1_893_456_000, using: &random)
        let change = zone.nextDaylightSavingTimeTransition(
            after: Date(timeIntervalSince1970: Double(any)))
        var moment = any
        if let change, Int.random(in: 0..<3, using: &random) > 0 {
            let near = Int.random(in: 0..<3, using: &random) > 0 ? 10_800 : 8 * 86_400
            moment =
                Int(change.timeIntervalSince1970) + Int.random(in: -near / 3...near, using: &random)
        }
        return moment / 10 * 10 + 5
    }

    static func events(around now: Int, using random: inout SplitMix) -> [SlowDashboard.Event] {
        let count = Int.random(in: 0...80, using: &random)
        var hasOpenSleep = false
        return (0..<count).map { _ in
            let kind =
                ["feeding", "feeding", "diaper", "sleep", "sleep", "note", "medication", "temperature"]
                .randomElement(using: &random) ?? "note"
            let types = [
                "feeding": ["breast", "bottle", "solid"],
                "diaper": ["wet", "dirty", "mixed", "dry"],
                "sleep": ["nap", "night"],
            ]
            // Half of them in the last hours, the others in the last weeks; some at the same moment, some just ahead.
            let reach = Bool.random(using: &random) ? 6 * 3600 : 20 * 86_400
            let start = (now + Int.random(in: -reach...200, using: &random)) / 10 * 10
            var event = SlowDashboard.Event(
                kind: kind, id: UUID.random(using: &random),
                type: types[kind]?.randomElement(using: &random) ?? "", start: start)
            event.isDeleted = Int.random(in: 0..<8, using: &random) == 0
            let lasts =
                [0, 600, 3600, 86_400].randomElement(using: &random).map {
                    Int.random(in: 0...$0, using: &random) / 10 * 10
                }
            switch kind {
            case "sleep":
                let isOpen = !hasOpenSleep && Int.random(in: 0..<12, using: &random) == 0
                event.end = isOpen ? nil : start + (lasts ?? 0)
                hasOpenSleep = hasOpenSleep || (isOpen && !event.isDeleted)
            case "feeding":
                event.end = Bool.random(using: &random) ? nil : start + (lasts ?? 0)
                if event.type == "bottle", Int.random(in: 0..<5, using: &random) > 0 {
                    event.tenths = Int.random(in: 1...10_000, using: &random)
                }
            default: break
            }
            return event
        }
    }

    /// Puts the events in the place of all that the child had.
    static func store(
        _ events: [SlowDashboard.Event], of home: Household, _ session: TestConnection
    ) throws {
        try session.execute("delete from events")
        for (kind, number, type, more) in [
            ("feeding", 0, "type", ", ended_at, amount_ml"), ("diaper", 1, "type", ""),
            ("sleep", 2, "type", ", ended_at"),
            ("note", 3, "content", ""), ("medication", 7, "name", ""), ("temperature", 6, "notes", ", celsius"),
        ] {
            let rows = events.filter { $0.kind == kind }.map { event -> SQL in
                let common: SQL = """
                    (\(number), 9, \(event.id)::uuid, to_timestamp(\(event.start)), \(event.type),
                    \(home.child)::uuid, \(home.family)::uuid,
                    to_timestamp(\(event.isDeleted ? event.start : nil))
                    """
                let end: SQL = ", to_timestamp(\(event.end))"
                switch kind {
                case "feeding":
                    return "\(fragment: common)\(fragment: end), \(event.tenths)::numeric / 10)"
                case "sleep": return "\(fragment: common)\(fragment: end))"
                case "temperature": return "\(fragment: common), 37)"
                default: return "\(fragment: common))"
                }
            }
            guard !rows.isEmpty else { continue }
            try session.execute(
                """
                insert into events (kind, revision, id, at, \(unescaped: type), child_id, family_id, deleted_at\(unescaped: more))
                values \(fragment: rows.joined(separator: ", "))
                """)
        }
    }
}

/// A generator that a seed repeats (SplitMix64).
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
        return value ^ value >> 31
    }
}

extension UUID {
    static func random(using random: inout SplitMix) -> String {
        let digits = [random.next(), random.next()].map {
            let text = String($0, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }.joined()
        let parts = [(0, 8), (8, 12), (12, 16), (16, 20), (20, 32)]
        return parts.map { String(digits.dropFirst($0.0).prefix($0.1 - $0.0)) }.joined(
            separator: "-")
    }
}

extension JSON {
    /// What `SlowDashboard` answers too: events as their ids.
    fileprivate var figures: JSON {
        func ids(_ name: String) -> JSON {
            guard case .object(let events) = self[name] else { return .null }
            return .object(events.mapValues { $0["id"] })
        }
        return [
            "day": self["day"], "totals": self["totals"], "last": ids("last"),
            "ongoing": ids("ongoing"), "week": self["week"],
        ]
    }
}
