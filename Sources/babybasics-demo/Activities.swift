import BabyBasicsAPI

/// What the child did on one day besides, in order, where neither sleep nor a feed is in the way.
func activities(_ plan: DayPlan, among feeds: [FeedingDetails], seed: Int) -> [ActivityDetails] {
    var dice = Dice("\(seed)/activities/\(plan.age)")
    var busy = feeds.map { feed in
        let start = feed.startedAt.minute
        return start..<max(start + 1, feed.endedAt?.minute ?? start + 1)
    }
    var done: [ActivityDetails] = []
    func add(_ name: String, near wanted: Minute, minutes: Int) {
        for shift in [0, 20, -20, 40, -40, 60] {
            let start = plan.awake(near: wanted + shift, after: plan.wake, room: minutes)
            let span = start..<start + minutes
            guard span.lowerBound >= plan.wake, span.upperBound <= plan.bed,
                !busy.contains(where: { $0.overlaps(span) })
            else { continue }
            busy.append(span)
            done.append(
                ActivityDetails(
                    startedAt: Timestamp(minute: start), endedAt: Timestamp(minute: start + minutes), name: name))
            return
        }
    }
    if plan.age >= 8 {
        let most = 3 + plan.age / 15
        for offset in [95, 330].prefix(dice.chance(0.6) ? 2 : 1) {
            let wanted = plan.wake + offset + dice.integer(-15...15)
            add("Tummy time", near: wanted, minutes: min(15, dice.integer(3...most)))
        }
    }
    if plan.age >= 10, dice.chance(0.7) {
        add("Walk", near: plan.wake + 470 + dice.integer(-40...40), minutes: dice.integer(20...45))
    }
    if plan.age >= 9, plan.age % 2 == 0 {
        add("Bath", near: plan.bed - 85, minutes: dice.integer(12...18))
    }
    return done.sorted { $0.startedAt < $1.startedAt }
}
