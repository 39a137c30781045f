import BabyBasicsAPI

/// The temperatures that were taken on one day: where the child was warm, every few hours until it was asleep.
func temperatures(_ plan: DayPlan, seed: Int) -> [TemperatureDetails] {
    guard let peak = warmDays[plan.age] else { return [] }
    var dice = Dice("\(seed)/temperatures/\(plan.age)")
    var readings: [TemperatureDetails] = []
    // It rises towards the evening.
    for (offset, below) in [(40, 0.6), (280, 0.3), (500, 0), (680, 0.2)] {
        let at = plan.awake(near: plan.wake + offset + dice.integer(-20...20), after: plan.wake, room: 5)
        guard at < plan.bed else { break }
        let celsius = peak - below - dice.number(0...0.1)
        readings.append(
            TemperatureDetails(
                occurredAt: Timestamp(minute: at), celsius: Tenths(floatLiteral: celsius),
                site: dice.pick(weighted: [(.ear, 0.7), (.rectal, 0.3)])))
    }
    return readings
}

/// Vitamin D with breakfast, and Paracetamol against a fever, six hours apart at least.
func medications(_ plan: DayPlan, seed: Int) -> [MedicationDetails] {
    var dice = Dice("\(seed)/medications/\(plan.age)")
    let breakfast = plan.awake(near: plan.wake + dice.integer(20...40), after: plan.wake, room: 5)
    let scenario = Scenario(seed: seed)
    var given = [
        MedicationDetails(
            occurredAt: Timestamp(minute: breakfast), name: "Vitamin D", dose: "1 drop", planId: scenario.vitaminPlanID)
    ]
    var last = plan.wake - 360
    for reading in temperatures(plan, seed: seed) where reading.celsius >= 38.2 {
        let at = reading.occurredAt.minute + 4
        guard at - last >= 360 else { continue }
        given.append(
            MedicationDetails(
                occurredAt: Timestamp(minute: at), name: "Paracetamol", dose: "2.5 ml", planId: scenario.feverPlanID))
        last = at
    }
    return given
}

/// The highest temperature by age in days: after vaccinations, of a cold, of teeth. The notes tell of some of them.
private let warmDays = [
    62: 37.9, 100: 38.4, 101: 37.8, 123: 37.3, 163: 38.8, 164: 38.3, 184: 38.1, 198: 38.6, 199: 37.8,
]
