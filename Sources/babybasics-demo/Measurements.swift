import BabyBasicsAPI

/// What was measured on one day: everything at check-ups, the weight once a week at home.
func measurements(_ plan: DayPlan, seed: Int) -> [MeasurementDetails] {
    let isCheckUp = checkUps.contains(plan.age)
    guard isCheckUp || plan.age % 7 == 5 else { return [] }
    var dice = Dice("\(seed)/measurements/\(plan.age)")
    let at = plan.awake(near: plan.wake + 130 + dice.integer(0...40), after: plan.wake, room: 10)
    let scales = isCheckUp ? 0 : dice.integer(-6...6) * 10
    return [
        MeasurementDetails(
            occurredAt: Timestamp(minute: at), weightG: Int(Growth.weight(plan.age) / 10) * 10 + scales,
            lengthCm: isCheckUp ? Tenths(floatLiteral: Growth.length(plan.age)) : nil,
            headCm: isCheckUp ? Tenths(floatLiteral: Growth.head(plan.age)) : nil)
    ]
}

/// Ages in days. The notes tell of some of them.
private let checkUps: Set = [0, 14, 31, 61, 92, 122, 152, 183, 244, 274, 365]
