import BabyBasicsAPI

/// When the mother pumps: most mornings, and on working days once more after the child's bedtime.
func pumpings(_ plan: DayPlan, seed: Int) -> [PumpingDetails] {
    guard plan.age >= 12 else { return [] }
    var dice = Dice("\(seed)/pumpings/\(plan.age)")
    var starts = dice.chance(0.8) ? [plan.wake + dice.integer(45...75)] : []
    if dice.chance(0.6) { starts.append(plan.bed + dice.integer(25...50)) }
    return starts.map { start in
        let amount = Growth.pumpedMillilitres(plan.age) * dice.number(0.7...1.3)
        return PumpingDetails(
            startedAt: Timestamp(minute: start), endedAt: Timestamp(minute: start + dice.integer(12...22)),
            side: dice.chance(0.85) ? .both : dice.pick([.left, .right]), amountMl: Tenths(Int(amount / 5) * 5))
    }
}
