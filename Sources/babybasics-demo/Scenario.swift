import BabyBasicsAPI
import Foundation

/// Who and what there is. All of it follows from the seed, so that a second run finds what the first one made.
struct Scenario {
    let seed: Int

    static let childName = "Wren"
    static let familyName = "The Rivera Family"
    static let zoneName = "America/New_York"
    /// In days, when the demo is made: milk, first meals and first teeth are all in the 90 days before.
    static let age = 200

    struct Account {
        let person: Person
        let name: String
        let email: String
        let password: String
    }

    var accounts: [Account] {
        [
            (Person.mother, "Maya Rivera", "maya"), (.father, "Daniel Rivera", "daniel"),
            (.caregiver, "Rosa Delgado", "rosa"), (.grandmother, "Ines Rivera", "ines"),
        ].map { person, name, mailbox in
            var dice = Dice("\(seed)/password/\(mailbox)")
            let password = "\(dice.pick(words))-\(dice.pick(words))-\(dice.integer(1000...9999))"
            return Account(
                person: person, name: name, email: "\(mailbox).\(seed)@example.com",
                password: password)
        }
    }

    var familyID: FamilyID { identifier("family") }
    var childID: ChildID { identifier("child") }

    var vitaminPlanID: PlanID { identifier("plan/vitamin") }
    var feverPlanID: PlanID { identifier("plan/fever") }

    private func identifier<Entity>(_ word: String) -> Identifier<Entity> {
        var dice = Dice("\(seed)/\(word)")
        return Identifier(dice.uuid())
    }

    private let words = [
        "lantern", "bottle", "willow", "button", "harbor", "pebble", "mitten", "clover", "teapot",
        "cricket", "acorn", "blanket", "juniper", "ribbon", "thimble", "walnut",
    ]

    init(seed: Int) {
        self.seed = seed
    }

    /// The history up to the moment at which the child was made; not that of this run, which would make another history.
    func history(until made: Timestamp, zone: TimeZone) -> History {
        let days = LocalDays(zone)
        let today = days.shown(made.minute).date
        return History(
            seed: seed, born: CalendarDate(daysSince1970: today.daysSince1970 - Self.age),
            now: made.minute, days: days)
    }
}
