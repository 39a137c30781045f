import BabyBasicsAPI

/// The diapers of one day and the night after it, in order.
func diapers(_ plan: DayPlan, seed: Int) -> [DiaperDetails] {
    var dice = Dice("\(seed)/diapers/\(plan.age)")
    var times = [plan.wake + dice.integer(2...9)]
    while let last = times.last {
        let next = last + Int(Growth.diaperInterval(plan.age) * dice.number(0.75...1.25))
        let at = plan.awake(near: next, after: last + 45, room: 10)
        guard at < plan.bed - 70 else { break }
        times.append(at)
    }
    times.append(plan.bed - dice.integer(40...55))
    times += plan.wakings.filter { _ in dice.chance(Growth.nightChange(plan.age)) }
        .map { $0.upperBound - 6 }
    return times.map { diaper(at: $0, age: plan.age, dice: &dice) }
}

private func diaper(at minute: Minute, age: Int, dice: inout Dice) -> DiaperDetails {
    let dirty = Growth.dirtyShare(age)
    let type = dice.pick(weighted: [
        (DiaperDetails.Finding.wet, 0.97 - dirty), (.dirty, dirty * 0.45), (.mixed, dirty * 0.55),
        (.dry, 0.03),
    ])
    var color: DiaperDetails.Color?
    if type == .dirty || type == .mixed, dice.chance(0.8) {
        // Milk alone makes it yellow; food ends that.
        color = dice.pick(
            weighted: age < 165
                ? [(.yellow, 0.75), (.green, 0.15), (.brown, 0.1)]
                : [(.brown, 0.65), (.green, 0.2), (.yellow, 0.15)])
    }
    return DiaperDetails(type: type, occurredAt: Timestamp(minute: minute), color: color)
}
