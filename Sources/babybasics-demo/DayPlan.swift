import BabyBasicsAPI

/// When a child sleeps from one morning to the next. It depends on the seed and the day alone, so that each day can be made by itself.
struct DayPlan {
    /// In days.
    let age: Int
    let wake: Minute
    let bed: Minute
    /// The next morning.
    let nextWake: Minute
    /// Between `wake` and `bed`, with at least half an hour awake around each.
    let naps: [Range<Minute>]
    /// Between `bed` and `nextWake`, broken by `wakings`.
    let nights: [Range<Minute>]
    let wakings: [Range<Minute>]

    init(seed: Int, born: CalendarDate, age: Int, days: LocalDays) {
        self.age = age
        var dice = Dice("\(seed)/sleep/\(age)")
        wake = Self.wake(seed: seed, born: born, age: age, days: days)
        nextWake = Self.wake(seed: seed, born: born, age: age + 1, days: days)
        let date = CalendarDate(daysSince1970: born.daysSince1970 + age)
        bed = days.minute(date, Int(Growth.bed(age)) + dice.integer(-25...25))
        naps = Self.naps(from: wake, to: bed, age: age, dice: &dice)
        (nights, wakings) = Self.night(from: bed, to: nextWake, age: age, dice: &dice)
    }

    private static func wake(seed: Int, born: CalendarDate, age: Int, days: LocalDays) -> Minute {
        var dice = Dice("\(seed)/wake/\(age)")
        let date = CalendarDate(daysSince1970: born.daysSince1970 + age)
        return days.minute(date, Int(Growth.wake(age)) + dice.integer(-30...30))
    }

    private static func naps(
        from wake: Minute, to bed: Minute, age: Int, dice: inout Dice
    ) -> [Range<Minute>] {
        let usual = Growth.naps(age)
        let count = Int(usual) + (dice.chance(usual - usual.rounded(.down)) ? 1 : 0)
        let longest = max(25, (bed - wake - 65 * (count + 1)) / count)
        let lengths = (0..<count).map { _ in
            min(longest, max(25, Int(Growth.napLength(age) * dice.number(0.5...1.45))))
        }
        // The later in the day, the longer a child stays awake.
        let awake = Double(bed - wake - lengths.reduce(0, +))
        let weights = (0...count).map { (1 + 0.12 * Double($0)) * dice.number(0.85...1.15) }
        let unit = awake / weights.reduce(0, +)
        var at = wake
        return zip(lengths, weights).map { length, weight in
            let start = at + Int(weight * unit)
            at = start + length
            return start..<at
        }
    }

    private static func night(
        from bed: Minute, to morning: Minute, age: Int, dice: inout Dice
    ) -> (nights: [Range<Minute>], wakings: [Range<Minute>]) {
        let usual = Growth.nightWakings(age) * dice.number(0.5...1.5)
        let count = min(5, Int(usual) + (dice.chance(usual - usual.rounded(.down)) ? 1 : 0))
        // The first stretch is the longest, and grows with age.
        let weights = (0...count).map { ($0 == 0 ? 1.6 : 1) * dice.number(0.8...1.2) }
        let lengths = (0..<count).map { _ in dice.integer(18...38) }
        let unit = Double(morning - bed - lengths.reduce(0, +)) / weights.reduce(0, +)
        var at = bed
        var nights: [Range<Minute>] = []
        var wakings: [Range<Minute>] = []
        for (length, weight) in zip(lengths, weights) {
            let end = at + Int(weight * unit)
            nights.append(at..<end)
            wakings.append(end..<end + length)
            at = end + length
        }
        return (nights + [at..<morning], wakings)
    }

    /// The moment nearest to one of the day at which the child is awake, and stays so for a while.
    func awake(near moment: Minute, after earliest: Minute, room: Int) -> Minute {
        guard
            let nap = naps.first(where: { moment > $0.lowerBound - room && moment < $0.upperBound })
        else { return moment }
        let (before, after) = (nap.lowerBound - room, nap.upperBound + 5)
        return before >= earliest && moment - before <= after - moment ? before : after
    }
}
