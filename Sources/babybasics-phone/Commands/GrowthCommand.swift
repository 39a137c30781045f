import ArgumentParser
import BabyBasicsAPI
import BabyBasicsKit
import Foundation

struct GrowthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "growth",
        abstract: "Show measurements beside the WHO standards; sex and due date stay on this phone.")
    @OptionGroup var phone: PhoneOptions
    @Option(help: "The child's name; the family's first otherwise.") var child: String?
    @Option(help: "boy or girl: needed once.") var sex: String?
    @Option(help: "When the child was due, if it was born early, YYYY-MM-DD.") var due: String?
    @Option(help: "weight, length or head.") var measure = "weight"

    @MainActor mutating func run() async throws {
        guard let measure = GrowthStandard.Measure(rawValue: measure) else {
            throw ValidationError("\(measure) is none of weight, length and head.")
        }
        let home = try await phone.signedIn().home
        let growth = Growth(home, child: try await phone.child(child, home))
        growth.measure = measure
        for _ in 0..<500 where growth.step == .loading { try await Task.sleep(for: .milliseconds(10)) }
        if sex != nil || due != nil {
            var answers = growth.answers
            answers.sex = sex.flatMap { GrowthStandard.Sex(rawValue: $0) } ?? answers.sex
            answers.dueDate = due.flatMap { CalendarDate($0) } ?? answers.dueDate
            try await growth.answer(answers)
            for _ in 0..<500 where growth.answers != answers { try await Task.sleep(for: .milliseconds(10)) }
        }
        guard growth.step == .showing else { throw ValidationError("Boy or girl? Use --sex.") }
        if let correction = growth.correction { print(correction) }
        for point in growth.points { print("\(point.date)\t\(point.value)\t\(home.texts.standing(point) ?? "-")") }
    }
}
