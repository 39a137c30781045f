import BabyBasicsAPI

/// The feeds of one day and the night after it, in order.
struct Feeds {
    private let plan: DayPlan
    private var dice: Dice
    private var drafts: [FeedingDetails] = []
    private var isLeft: Bool

    static func of(_ plan: DayPlan, seed: Int) -> [FeedingDetails] {
        var feeds = Feeds(plan: plan, seed: seed)
        feeds.addMilk()
        feeds.addMeals()
        return feeds.drafts.sorted { $0.startedAt < $1.startedAt }
    }

    private init(plan: DayPlan, seed: Int) {
        self.plan = plan
        dice = Dice("\(seed)/feeds/\(plan.age)")
        isLeft = dice.chance(0.5)
    }

    private mutating func addMilk() {
        let interval = Growth.feedInterval(plan.age)
        var next = plan.wake + dice.integer(5...20)
        var last = next - 120
        while next < plan.bed - 60 {
            let at = plan.awake(near: next, after: last + 90, room: 30)
            guard at < plan.bed - 60 else { break }
            addMilk(at: at)
            last = at
            next = at + Int(interval * dice.number(0.88...1.15))
        }
        if plan.bed - 35 - last >= 75 { addMilk(at: plan.bed - 35) }
        for waking in plan.wakings { addMilk(at: waking.lowerBound + 3) }
    }

    private mutating func addMilk(at minute: Minute) {
        if dice.chance(Growth.bottleShare(plan.age)) {
            let usual = Growth.bottleMillilitres(plan.age) * dice.number(0.7...1.2)
            let content = dice.pick(weighted: [
                (FeedingDetails.Content.breastMilk, 0.5), (.formula, 0.4), (.mixed, 0.1),
            ])
            drafts.append(
                FeedingDetails(
                    type: .bottle, startedAt: Timestamp(minute: minute),
                    endedAt: Timestamp(minute: minute + dice.integer(8...14)),
                    amountMl: Tenths(tenths: Int(usual / 5) * 50), content: content))
        } else {
            let length = max(5, Int(Growth.breastMinutes(plan.age) * dice.number(0.6...1.3)))
            let side: FeedingDetails.Side = length > 14 ? .both : isLeft ? .left : .right
            isLeft.toggle()
            drafts.append(
                FeedingDetails(
                    type: .breast, startedAt: Timestamp(minute: minute),
                    endedAt: Timestamp(minute: minute + min(length, 28)), side: side))
        }
    }

    private mutating func addMeals() {
        let usual = Growth.meals(plan.age)
        let count = Int(usual) + (dice.chance(usual - usual.rounded(.down)) ? 1 : 0)
        // Lunch comes first in a child's life, then supper, then breakfast.
        for offset in [300, 610, 75].prefix(count) {
            var at = plan.awake(
                near: plan.wake + offset + dice.integer(-20...20), after: plan.wake, room: 25)
            // With milk at the same time, the milk first.
            for feed in drafts where feed.type != .solid {
                let start = feed.startedAt.minute
                if at > start - 25, at < start + 35 { at = start + 40 }
            }
            guard plan.naps.allSatisfy({ at + 20 <= $0.lowerBound || at >= $0.upperBound }),
                at + 20 < plan.bed
            else { continue }
            drafts.append(
                FeedingDetails(
                    type: .solid, startedAt: Timestamp(minute: at),
                    endedAt: Timestamp(minute: at + dice.integer(10...20)),
                    food: dice.pick(plan.age < 190 ? Self.firstFoods : Self.firstFoods + Self.foods)
                ))
        }
    }

    private static let firstFoods = [
        "Oat porridge", "Mashed banana", "Avocado", "Sweet potato purée", "Carrot purée",
        "Pear purée", "Butternut squash", "Plain yoghurt",
    ]
    private static let foods = [
        "Scrambled egg and toast fingers", "Lentils with carrot", "Steamed broccoli", "Pasta stars",
        "Porridge with blueberries", "Peas and potato", "Salmon and rice", "Hummus and soft pepper",
    ]
}
