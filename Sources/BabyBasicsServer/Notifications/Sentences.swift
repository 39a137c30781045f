import BabyBasicsAPI

/// What people are told, in one language: short, and nothing that alarms.
struct Sentences {
    private let words: Words<ServerWord>

    init(_ language: Language) { words = .of(language) }

    /// `Rosa logged a bottle, a diaper and a nap`.
    /// - Parameter details: whether it names medicines and temperatures.
    func logged(_ entries: [ToldEntry], by name: String, details: Bool) -> String {
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
        var parts = things.prefix(6).map { text($0.thing, $0.count) }
        let rest = things.dropFirst(6).reduce(0) { $0 + $1.count }
        if rest > 0 { parts.append(words.say(.noticesMore, count: rest)) }
        return short(words.say(.noticesTold, .theirs("name", name), .ours("things", list(parts))))
    }

    /// `It’s been 3 h since the last feed`.
    func reminder(_ subject: Reminder.Subject, since duration: Duration) -> String {
        let message: ServerWord =
            switch subject {
            case .feeding: .noticesSinceFeeding
            case .diaper: .noticesSinceDiaper
            case .sleep: .noticesSinceSleep
            case .pumping: .noticesSincePumping
            }
        return words.say(message, .ours("length", length(duration)))
    }

    func due(_ plan: Plan, details: Bool) -> String {
        guard details else { return words.say(.noticesDue) }
        let medicine = Filling.theirs("medicine", plan.name)
        guard let dose = plan.dose else { return short(words.say(.noticesDueNamed, medicine)) }
        return short(words.say(.noticesDueDose, medicine, .theirs("dose", dose)))
    }

    func member(_ kind: NotificationKind, name: String) -> String {
        let message: ServerWord =
            switch kind {
            case .joined: .noticesMemberJoined
            case .left: .noticesMemberLeft
            case .removed: .noticesMemberRemoved
            default: .noticesMemberAccessEnded
            }
        return words.say(message, .theirs("name", name))
    }

    var webhookOff: String { words.say(.noticesWebhookOff) }

    private func text(_ thing: Thing, _ count: Int) -> String {
        words.say(
            thing.word, count: count, .theirs("medicine", thing.medicine), .theirs("dose", thing.dose),
            .ours("celsius", thing.celsius.map(text) ?? ""))
    }

    private func list(_ parts: [String]) -> String {
        guard let first = parts.first, let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
        let list = parts.dropFirst().dropLast().reduce(first) { list, part in
            words.say(.noticesListNext, .ours("list", list), .ours("next", part))
        }
        return words.say(.noticesListLast, .ours("list", list), .ours("last", last))
    }

    private func text(_ number: Tenths) -> String {
        let (whole, tenth) = number.tenths.quotientAndRemainder(dividingBy: 10)
        guard tenth != 0 else { return "\(whole)" }
        return words.say(.noticesNumberTenths, .ours("whole", "\(whole)"), .ours("tenth", "\(tenth)"))
    }

    /// `2 h 30 min`.
    private func length(_ duration: Duration) -> String {
        let (hours, minutes) = duration.minutes.quotientAndRemainder(dividingBy: 60)
        let message: ServerWord =
            switch (hours, minutes) {
            case (0, _): .noticesLengthMinutes
            case (_, 0): .noticesLengthHours
            default: .noticesLengthHoursMinutes
            }
        return words.say(message, .ours("hours", "\(hours)"), .ours("minutes", "\(minutes)"))
    }

    /// A push holds about 4,000 bytes.
    private func short(_ text: String) -> String { text.count <= 200 ? text : "\(text.prefix(199))…" }
}

/// What an entry is in a sentence.
private struct Thing: Equatable {
    let word: ServerWord
    var medicine = ""
    var dose = ""
    var celsius: Tenths?

    init(_ entry: ToldEntry, details: Bool) {
        let kind = EventKind.all[Int(entry.kind)].name
        switch (kind, entry.type) {
        case ("feeding", "bottle"): word = .noticesThingBottle
        case ("feeding", "solid"): word = .noticesThingSolid
        case ("feeding", _): word = .noticesThingBreast
        case ("sleep", "nap"): word = .noticesThingNap
        case ("sleep", "night"): word = .noticesThingNight
        case ("medication", _) where details && entry.name != nil:
            word = entry.dose == nil ? .noticesThingMedicationNamed : .noticesThingMedicationDose
            medicine = entry.name ?? ""
            dose = entry.dose ?? ""
        case ("temperature", _) where details && entry.celsius != nil:
            word = .noticesThingTemperatureMeasured
            celsius = entry.celsius
        default: word = ServerWord(rawValue: "notices.thing.\(kind)") ?? .noticesThingEntry
        }
    }
}
