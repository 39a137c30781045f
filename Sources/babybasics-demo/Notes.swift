import BabyBasicsAPI

/// What is worth a note on one day, in order.
func notes(_ plan: DayPlan, seed: Int) -> [NoteDetails] {
    var dice = Dice("\(seed)/notes/\(plan.age)")
    var texts = milestones[plan.age].map { [$0] } ?? []
    if dice.chance(0.4) { texts.append(text(plan.age, &dice)) }
    if dice.chance(0.1) { texts.append(text(plan.age, &dice)) }
    return Set(texts).sorted().map { text in
        let moment = plan.wake + Int(Double(plan.bed - plan.wake - 90) * dice.number(0.1...1))
        let at = plan.awake(near: moment, after: plan.wake, room: 5)
        return NoteDetails(content: text, occurredAt: Timestamp(minute: at))
    }
    .sorted { $0.occurredAt < $1.occurredAt }
}

private func text(_ age: Int, _ dice: inout Dice) -> String {
    dice.pick(everyday.filter { $0.ages.contains(age) }).text
}

/// By age in days.
private let milestones = [
    3: "Umbilical stump is dry. Midwife happy with the weight.",
    14: "Back at birth weight! 3.6 kg on the clinic's scales.",
    38: "First real smile, at the ceiling lamp, but still.",
    61: "Two-month check and vaccinations. 5.2 kg, 58 cm. Cried for exactly one minute.",
    62: "A bit warm after the shots, 37.9 °C. Fine again by evening.",
    84: "Found her hands. They are apparently fascinating.",
    105: "Held the rattle on purpose and shook it.",
    113: "First proper laugh! Daniel sneezed and she could not stop.",
    122: "Four-month check. 6.4 kg, 62 cm. Second round of vaccinations, left thigh.",
    123: "Slept more than usual after the shots, no fever.",
    131: "Rolled from tummy to back. Surprised herself.",
    144: "Grabs her own feet now and will not let go during changes.",
    152: "Rolled from back to tummy, then complained about being on her tummy.",
    165: "First solids: two spoons of oat porridge. Most of it went behind the ear.",
    171: "Sat for ten seconds without support.",
    176: "Banana: yes. Avocado: absolutely not.",
    183: "Six-month check. 7.6 kg, 67 cm. Doctor says everything is on track.",
    188: "First tooth! Lower left, you can feel it with a finger.",
    194: "Says “bababa” to the cat. The cat left.",
    199: "Sits by herself long enough to empty the whole toy basket.",
    216: "Second tooth is through. Sleeping better at once.",
    247: "Crawls! Backwards, but it counts.",
    281: "Pulled herself up on the sofa.",
    330: "Waves bye-bye, usually after people have gone.",
    362: "First steps, from Maya to the sofa. Three of them.",
]

private let everyday: [(ages: ClosedRange<Int>, text: String)] = [
    (0...60, "Cluster feeding all evening. Settled in the carrier around ten."),
    (0...80, "Hiccups for twenty minutes, did not mind at all."),
    (0...90, "Gassy today. Bicycle legs helped."),
    (0...120, "Vitamin D drops given."),
    (20...150, "Ten minutes of tummy time without a complaint."),
    (30...140, "Only fell asleep on the walk. 5 km and counting."),
    (60...400, "Vitamin D given with breakfast."),
    (60...400, "Stroller walk along the river, watched the ducks the whole time."),
    (60...400, "Slight rash on the chin from drool, used the barrier cream."),
    (70...400, "Bath night. Splashed everyone."),
    (90...400, "Skipped the late nap, very tired by six. Early bedtime."),
    (90...400, "Grandma visited and read the caterpillar book four times."),
    (90...220, "Growth spurt? Hungry every two hours today."),
    (100...400, "Stuffy nose, saline drops before the nap. No fever."),
    (100...300, "Chewing on everything. Cold teething ring from the fridge helps."),
    (110...400, "White noise off by accident and she slept anyway."),
    (120...400, "Nap in the car, transferred to the crib without waking. A record."),
    (120...400, "Out of size 3 diapers, next box is size 4."),
    (140...400, "Temperature 37.4 °C before bed, keep an eye on it."),
    (150...400, "Playgroup: stared at the other baby for half an hour."),
    (165...400, "Refused the spoon unless she could hold it."),
    (170...400, "New food today, no reaction. Next new one on Thursday."),
    (200...400, "Pediatrician called back: keep the vitamin D, no other changes."),
]
