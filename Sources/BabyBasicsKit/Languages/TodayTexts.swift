import BabyBasicsAPI

extension Texts {
    // MARK: A feed and a sleep

    /// `left 7 min, right 3 min`.
    func sides(_ taken: [BreastSide: Duration]) -> String {
        inRow(
            BreastSide.allCases.map { side in
                guard let time = taken[side], time > .zero else { return nil }
                let length = say(.lengthMinutes, .ours("minutes", "\(time.components.seconds / 60)"))
                return say(side == .left ? .sidesLeft : .sidesRight, .ours("length", length))
            })
    }

    func switchTo(_ side: BreastSide) -> String { say(side == .left ? .sidesSwitchLeft : .sidesSwitchRight) }

    func overlap(_ pair: Overlaps.Pair, me: UserID) -> String {
        let (one, other) = (pair.one, pair.other)
        let isNight = other.type == "night"
        let id: KitWord
        switch whose(other.author, me) {
        case .mine: id = isNight ? .overlapWithNightYou : .overlapWithNapYou
        case .named: id = isNight ? .overlapWithNightNamed : .overlapWithNapNamed
        case .nobodys: id = isNight ? .overlapWithNightSomeone : .overlapWithNapSomeone
        }
        let with = say(id, .ours("time", clock(other.at)), .theirs("name", other.author.name))
        return say(
            one.type == "night" ? .overlapNight : .overlapNap, .ours("time", clock(one.at)), .ours("other", with))
    }

    // MARK: Reminders and notifications

    var give: String { say(.workerGive) }
    var log: String { say(.workerLog) }
    var inHalfAnHour: String { say(.pushInHalfAnHour) }
    var off: String { say(.remindOff) }
    var whenDue: String { say(.remindWhenDue) }
    var placeGone: Message { Message(say(.pushPlaceGone), .note) }
    var planGone: Message { Message(say(.pushPlanGone), .note) }

    func bell(_ about: StoredReminder.About, child: String, plan: String) -> String {
        let child = Filling.theirs("child", child)
        return switch about {
        case .plan: say(.remindADose, .theirs("name", plan))
        case .last(.feeding): say(.remindAfterFeed, child)
        case .last(.diaper): say(.remindAfterDiaper, child)
        case .last(.sleep): say(.remindAfterWaking, child)
        case .last(.pumping): say(.remindAfterPumping)
        }
    }

    func dueReminder(_ subject: Reminder.Subject, passed: Duration) -> String {
        let length = Filling.ours("length", span(passed))
        return switch subject {
        case .feeding: say(.dueSinceFeeding, length)
        case .diaper: say(.dueSinceDiaper, length)
        case .pumping: say(.dueSincePumping, length)
        case .sleep: say(.dueSinceSleep, length)
        }
    }

    // MARK: What may come next

    func nextFeed(_ about: String) -> String { say(.nextFeed, .ours("when", about)) }

    func nextSleep(awake: Duration, _ about: String) -> String {
        say(.nextSleep, .ours("length", span(awake)), .ours("when", about))
    }

    /// `about 16:10 (15:40 to 17:00)`, in tens of minutes.
    func about(_ time: Timestamp, from: Timestamp, to: Timestamp) -> String {
        let (first, last) = (tens(from, .down), tens(to, .up))
        let time = Filling.ours("time", tens(time, .toNearestOrAwayFromZero))
        if first == last { return say(.nextAbout, time) }
        return say(.nextAboutBetween, time, .ours("from", first), .ours("to", last))
    }

    private func tens(_ time: Timestamp, _ rule: FloatingPointRoundingRule) -> String {
        clock(Timestamp(milliseconds: Int64((Double(time.milliseconds) / 600_000).rounded(rule)) * 600_000))
    }

    // MARK: While somebody was away

    func away(_ away: WhileAway, since: Timestamp, now: Timestamp, borders: DayBorders) -> String {
        let (date, today) = (borders.date(of: since), borders.date(of: now))
        let time = Filling.ours("time", clock(since))
        let when = date == today ? clock(since) : say(.timeMoment, .ours("date", day(date, today: today)), time)
        let people = away.people.map { person($0) }.joined(separator: ". ")
        return say(.awaySince, .ours("time", when), .ours("people", people))
    }

    func person(_ person: WhileAway.Person) -> String {
        let list = Filling.ours("list", inRow(person.sums.map { sum($0) }))
        return person.name.isEmpty ? say(.awaySomeone, list) : say(.awayPerson, .theirs("name", person.name), list)
    }

    /// `2 bottles (240 ml)`, `1 nap of 1 h 10 min`.
    private func sum(_ sum: WhileAway.Sum) -> String {
        let counted = say(KitWord(rawValue: "away.sum.\(sum.what)") ?? .awayOther, count: sum.count)
        let what = Filling.ours("what", counted)
        if sum.milliliters > 0 {
            return say(.awayWithAmount, what, .ours("amount", amount(sum.milliliters, field: "amount_ml")))
        }
        guard ["nap", "night", "sleep"].contains(sum.what), sum.lasted >= .seconds(60) else { return counted }
        return say(
            sum.count == 1 ? .awayOneOfLength : .awaySeveralOfLength, what, .ours("length", span(sum.lasted)))
    }

    // MARK: Pumped milk, what is asked in the night

    /// `Pumped and not given yet: 180 ml, the oldest from yesterday.`
    func stash(_ milk: Tenths, oldest: CalendarDate?, today: CalendarDate) -> String {
        guard let oldest else { return say(.stashAllGiven) }
        let amount = Filling.ours("amount", amount(milk, field: "amount_ml"))
        switch today.daysSince1970 - oldest.daysSince1970 {
        case 0: return say(.stashOldestToday, amount)
        case 1: return say(.stashOldestYesterday, amount)
        default: return say(.stashOldest, amount, .ours("day", day(oldest, today: today)))
        }
    }

    func asked(_ asked: AskedInTheNight, now: Timestamp) -> [String] {
        let (feeds, here, before) = (asked.feedsOfADay, asked.longestSleepThisWeek, asked.longestSleepLastWeek)
        let length = Filling.ours("length", span(.seconds(60 * here)))
        let sleep =
            before > 0
            ? say(.askedLongestSleepCompared, length, .ours("before", span(.seconds(60 * before))))
            : say(.askedLongestSleep, length)
        return [
            feeds > 0 ? say(.askedFeeds, count: feeds) : nil, here > 0 ? sleep : nil,
            asked.wetAt.map { say(.askedLastWet, .ours("ago", ago(now.since($0)))) },
        ].compactMap { $0 }
    }

    // MARK: Growth

    func weeksEarly(_ weeks: Int) -> String { say(.growthWeeksEarly, count: weeks) }

    /// Where a measurement stands among others: `P42, z −0.20`. Beyond the printed tables it is said as they do. Nil where
    /// there is no standard.
    public func standing(_ point: GrowthPoint) -> String? {
        guard let z = point.zScore, let percentile = point.percentile else { return nil }
        let place =
            percentile < 1
            ? say(.growthBelowP1)
            : percentile >= 99
                ? say(.growthAboveP99) : say(.growthPercentile, .ours("percentile", "\(Int(percentile.rounded()))"))
        let hundredths = (abs(z) * 100).rounded()
        let sign = z < 0 && hundredths > 0 ? "−" : ""
        return say(
            .growthStanding, .ours("percentile", place), .ours("z", sign + number(hundredths / 100, digits: 2...2)))
    }
}
