import BabyBasicsAPI

extension Texts {
    var tooManyTimes: Message { Message(say(.planTooManyTimes), field: "times") }
    var endsBeforeItStarts: Message {
        Message(sentences(say(.planEndsBefore), say(.thenCorrectIt)), field: "ends_on")
    }
    var noDoseYet: String { say(.medicinesNotGiven) }

    func lastDose(_ ago: String) -> String { say(.medicinesLast, .ours("ago", ago)) }

    /// `Paracetamol due now`, `Paracetamol due at 20:00`.
    func due(_ name: String, at time: Timestamp?) -> String {
        let medicine = Filling.theirs("medicine", name)
        guard let time else { return say(.dueDoseNow, medicine) }
        return say(.dueDoseAt, medicine, .ours("time", clock(time)))
    }

    /// `every 6 h, at most 4 times a day`.
    public func schedule(_ plan: StoredPlan) -> String {
        let often =
            plan.everyHours.map { say(.planHowEveryHours, .ours("hours", "\($0)")) }
            ?? plan.times.map { say(.planHowAtTimes, .ours("times", listed($0))) } ?? say(.planHowWhenNeeded)
        return inRow([often, plan.maxPerDay.map { say(.planHowAtMost, count: $0) }])
    }

    /// What is asked before a dose: `Rosa gave Paracetamol 2 h ago.`
    func gave(_ dose: StoredEntry, of plan: StoredPlan, me: UserID, now: Timestamp) -> String {
        let when = dose.at <= now ? ago(now.since(dose.at)) : say(.nearAtTime, .ours("time", clock(dose.at)))
        let id: KitWord
        switch whose(dose.author, me) {
        case .mine: id = .nearGaveYou
        case .named: id = .nearGaveNamed
        case .nobodys: id = .nearGaveSomeone
        }
        let medicine = Filling.theirs("medicine", dose.fields["name"]?.text ?? plan.name)
        return sentence(say(id, .theirs("name", dose.author.name), medicine, .ours("when", when)))
    }

    func logAnyway(_ title: String) -> String { sentences(title, say(.nearLogAnywayAsked)) }

    func reason(_ near: TooNear, of plan: StoredPlan) -> String {
        if near.code == .tooSoon, let hours = plan.everyHours {
            return say(.nearEveryHours, .ours("hours", "\(hours)"))
        }
        let given = say(.nearTimes, count: near.count)
        return say(.nearTooOften, .ours("given", given), .ours("most", say(.nearTimes, count: plan.maxPerDay ?? 1)))
    }

    func tooNear(_ pair: TooNear.Pair, me: UserID) -> String {
        let (other, isSooner) = (pair.near.other, pair.near.code == .tooSoon)
        let id: KitWord
        switch whose(other.author, me) {
        case .mine: id = isSooner ? .nearTwiceSoonerYou : .nearTwiceMoreOftenYou
        case .named: id = isSooner ? .nearTwiceSoonerNamed : .nearTwiceMoreOftenNamed
        case .nobodys: id = isSooner ? .nearTwiceSoonerSomeone : .nearTwiceMoreOftenSomeone
        }
        return say(
            id, .theirs("medicine", title(pair.one)), .ours("time", clock(pair.one.at)),
            .theirs("name", other.author.name), .ours("other", clock(other.at)))
    }

    /// Of whom a message is.
    enum Whose { case mine, named, nobodys }

    func whose(_ author: Author, _ me: UserID) -> Whose {
        author.userId == me ? .mine : author.name.isEmpty ? .nobodys : .named
    }
}
