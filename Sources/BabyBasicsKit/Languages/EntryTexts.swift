public import BabyBasicsAPI

extension Texts {
    // MARK: Logging

    func refusal(_ refusal: StoreRefusal, child: String, ago: String) -> Message {
        switch refusal {
        case .noSuchChild: Message(say(.logNoSuchChild, .theirs("child", child)))
        case .noSuchEntry: Message(say(.logNoSuchEntry))
        case .viewersOnlyLook: Message(say(.logViewersLook))
        case .parentsPlan: Message(say(.logParentsPlan))
        case .alreadyAsleep: Message(say(.logAsleepSince, .theirs("child", child), .ours("ago", ago)))
        }
    }

    func logged(_ kind: String, child: String) -> String {
        say(.logLoggedForChild, .ours("what", self.kind(kind)), .theirs("child", child))
    }

    func deleted(_ kind: String) -> String { say(.entryDeleted, .ours("what", self.kind(kind))) }

    func deletedAgo(_ duration: Duration) -> String { say(.deletedWhen, .ours("when", ago(duration))) }

    func isBack(_ title: String) -> Message { Message(say(.deletedIsBack, .theirs("what", title)), .good) }

    // MARK: What a form lacks

    func missing(_ name: String, of kind: String) -> Message {
        let words =
            switch (kind, name) {
            case ("note", _): say(.missingNote)
            case ("plan", "every_hours"): say(.planHowManyHours)
            case ("plan", "times"): say(.planWhatTime)
            case ("plan", _): say(.planWhichMedicine)
            case ("medication", _): say(.missingMedication)
            case ("activity", _): say(.missingActivity)
            case ("temperature", "celsius"): say(.missingTemperature)
            case ("discard", "amount_ml"): say(.missingDiscard)
            default: say(.missingField, .ours("field", field(name)))
            }
        return Message(words, field: name)
    }

    func oneMissing(_ names: [String]) -> Message { Message(say(.missingMeasurement), field: names.first) }

    func outside(_ name: String, from: String, to: String) -> Message {
        let what = word("bounds", name) ?? field(name).capitalizedFirst
        let between = say(.missingBetween, .ours("what", what), .ours("least", from), .ours("most", to))
        return Message(sentences(between, say(.thenCorrectIt)), field: name)
    }

    func tooLong(_ name: String, max: Int) -> Message {
        let what = field(name).capitalizedFirst
        return Message(say(.missingTooLong, .ours("field", what), .ours("most", "\(max)")), field: name)
    }

    /// Offered where a family has no activities of its own yet.
    var commonActivities: [String] {
        [.formsActivityTummyTime, .formsActivityBath, .formsActivityWalk, .formsActivityPlay].map { say($0) }
    }

    // MARK: An entry

    /// An entry in a few words: `Bottle 120 ml`, `Paracetamol`, `38.4 °C`.
    public func title(_ entry: StoredEntry) -> String {
        let amount = { (name: String) in entry.fields[name]?.number.map { self.amount($0, field: name) } }
        func with(_ id: KitWord, otherwise plain: KitWord) -> String {
            amount("amount_ml").map { say(id, .ours("amount", $0)) } ?? say(plain)
        }
        guard entry.isUnderstood else { return newer }
        switch (entry.kind, entry.type) {
        case ("feeding", "breast"):
            switch entry.fields["side"]?.text {
            case "left": return say(.titleLeftBreast)
            case "right": return say(.titleRightBreast)
            case "both": return say(.titleBothBreasts)
            default: return say(.wordTypeBreast)
            }
        case ("feeding", "bottle"): return with(.titleBottle, otherwise: .wordTypeBottle)
        case ("feeding", _): return entry.fields["food"]?.text ?? say(.wordTypeSolid)
        case ("discard", _): return with(.titleThrownAway, otherwise: .summaryThrownAway)
        case ("diaper", let type): return word("summary.diaper", type ?? "") ?? kind(entry.kind)
        case ("sleep", "nap"): return say(.summaryNap)
        case ("sleep", "night"): return say(.summaryNight)
        case ("note", _): return String(entry.fields["content"]?.text?.prefix(60) ?? kind(entry.kind)[...])
        case ("pumping", _): return with(.titlePumped, otherwise: .summaryPumping)
        case ("measurement", _):
            let head = amount("head_cm").map { say(.summaryHead, .ours("length", $0)) }
            return inRow([amount("weight_g"), amount("length_cm"), head])
        case ("temperature", _): return amount("celsius") ?? kind(entry.kind)
        case ("medication", _), ("activity", _), ("plan", _): return entry.fields["name"]?.text ?? kind(entry.kind)
        default: return kind(entry.kind)
        }
    }

    /// The last of its kind: `Woke up`, `Bottle 120 ml`.
    /// - Parameter bottles: those that belong to a feed: `Left breast, then 60 ml`.
    func last(_ entry: StoredEntry, then bottles: [StoredEntry] = []) -> String {
        if entry.kind == "sleep", entry.endedAt != nil { return say(.lastLabelSleep) }
        let rest = bottles.map { bottle in
            bottle.fields["amount_ml"]?.number.map {
                say(.lastThenAmount, .ours("amount", amount($0, field: "amount_ml")))
            } ?? say(.lastThenBottle)
        }
        return inRow([title(entry)] + rest)
    }

    /// A stored number as it is shown, by its field's name on the wire: `120 ml`, `9 lb 4 oz`; the bare number of a
    /// field that has no unit.
    public func amount(_ stored: Tenths, field: String) -> String {
        func with(_ unit: KitWord, _ value: Double, digits: Int = 1) -> String {
            say(unit, .ours("number", number(value, digits: 0...digits)))
        }
        switch field {
        case "amount_ml":
            return with(units.volume == .milliliters ? .unitMl : .unitFlOz, units.volume.value(of: stored))
        case "weight_g":
            if units.weight == .kilograms { return with(.unitKg, stored.double / 1000, digits: 3) }
            let (pounds, ounces) = WeightUnit.poundsAndOunces(grams: stored)
            return say(.unitLbOz, .ours("pounds", "\(pounds)"), .ours("ounces", number(ounces)))
        case "length_cm", "head_cm":
            return with(units.length == .centimeters ? .unitCm : .unitIn, units.length.value(of: stored))
        case "celsius":
            return with(
                units.temperature == .celsius ? .unitCelsius : .unitFahrenheit, units.temperature.value(of: stored))
        default: return number(stored.double)
        }
    }
}
