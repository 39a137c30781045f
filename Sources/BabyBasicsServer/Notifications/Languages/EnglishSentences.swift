import BabyBasicsAPI

/// What people are told, in English: short, and nothing that alarms.
enum EnglishSentences {
    /// `Rosa logged a bottle, a diaper and a nap`.
    /// - Parameter details: whether it names medicines and temperatures.
    static func logged(_ entries: [ToldEntry], by name: String, details: Bool) -> String {
        var things: [(thing: Thing, count: Int)] = []
        for entry in entries {
            let thing = Thing(entry, details: details)
            if let index = things.firstIndex(where: { $0.thing == thing }) {
                things[index].count += 1
            } else {
                things.append((thing, 1))
            }
        }
        // As many as a phone shows.
        var parts = things.prefix(6).map { $0.thing.text($0.count) }
        let rest = things.dropFirst(6).reduce(0) { $0 + $1.count }
        if rest > 0 { parts.append("\(rest) more") }
        return short("\(name) logged \(list(parts))")
    }

    /// `It’s been 3 h since the last feed`.
    static func reminder(_ subject: Reminder.Subject, since duration: Duration) -> String {
        switch subject {
        case .feeding: "It’s been \(length(duration)) since the last feed"
        case .diaper: "It’s been \(length(duration)) since the last diaper change"
        case .sleep: "Awake for \(length(duration))"
        case .pumping: "It’s been \(length(duration)) since the last pumping"
        }
    }

    static func due(_ plan: Plan, details: Bool) -> String {
        guard details else { return "Time for a medicine" }
        return short("Time for \(plan.name)\(plan.dose.map { ", \($0)" } ?? "")")
    }

    static func member(_ kind: NotificationKind, name: String) -> String {
        switch kind {
        case .joined: "\(name) joined the family"
        case .left: "\(name) left the family"
        case .removed: "\(name) is no longer in the family"
        default: "\(name)’s access has ended"
        }
    }

    private static func list(_ parts: [String]) -> String {
        guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
        return "\(parts.dropLast().joined(separator: ", ")) and \(last)"
    }

    /// `2 h 30 min`.
    private static func length(_ duration: Duration) -> String {
        let (hours, minutes) = duration.minutes.quotientAndRemainder(dividingBy: 60)
        return switch (hours, minutes) {
        case (0, _): "\(minutes) min"
        case (_, 0): "\(hours) h"
        default: "\(hours) h \(minutes) min"
        }
    }

    /// A push holds about 4,000 bytes.
    private static func short(_ text: String) -> String { text.count <= 200 ? text : "\(text.prefix(199))…" }
}

/// What an entry is in a sentence.
private struct Thing: Equatable {
    let one: String
    /// Nil where several are said with a number in front.
    let many: String?

    func text(_ count: Int) -> String { count == 1 ? one : many.map { "\(count) \($0)" } ?? "\(count) × \(one)" }

    init(_ entry: ToldEntry, details: Bool) {
        let kind = EventKind.all[Int(entry.kind)]
        (one, many) =
            switch (kind.name, entry.type) {
            case ("feeding", "bottle"): ("a bottle", "bottles")
            case ("feeding", "solid"): ("a meal", "meals")
            case ("feeding", _): ("a breast feed", "breast feeds")
            case ("sleep", "nap"): ("a nap", "naps")
            case ("sleep", "night"): ("a night’s sleep", "nights’ sleep")
            case ("sleep", _): ("a sleep", "sleeps")
            case ("discard", _): ("milk thrown away", nil)
            case ("medication", _): Self.medicine(entry, details)
            case ("temperature", _): Self.temperature(entry, details)
            default: (kind.one, kind.plural)
            }
    }

    private static func medicine(_ entry: ToldEntry, _ details: Bool) -> (String, String?) {
        guard details, let name = entry.name else { return ("a medicine", "medicines") }
        return ("\(name)\(entry.dose.map { " (\($0))" } ?? "")", nil)
    }

    private static func temperature(_ entry: ToldEntry, _ details: Bool) -> (String, String?) {
        guard details, let celsius = entry.celsius else { return ("a temperature", "temperatures") }
        return ("a temperature of \(celsius) °C", nil)
    }
}
