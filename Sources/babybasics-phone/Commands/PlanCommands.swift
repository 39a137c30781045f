import ArgumentParser
import BabyBasicsAPI
import BabyBasicsKit
import Foundation

struct Plans: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show a child's medicine plans, when each is due, and this person's reminders.")
    @OptionGroup var phone: PhoneOptions
    @Option(help: "The child's name; the family's first otherwise.") var child: String?
    @Flag(help: "Read what is new first.") var fetch = false

    @MainActor mutating func run() async throws {
        let home = try await phone.signedIn().home
        if fetch { try await home.engine.fetchChanges() }
        let child = try await phone.child(child, home)
        let filter = EntryFilter(kinds: [MedicationDetails.kind.name], limit: 1000)
        let given = try await home.store.entries(of: child.id, filter)
        let plans = try await home.store.plans(of: child.id)
        for plan in plans {
            let standing = PlanStanding(plan, given: given, borders: home.borders, now: .systemNow)
            let next = standing.nextAt?.description ?? "-"
            let schedule = home.texts.schedule(plan)
            let words = [plan.entry.isWaiting ? "waiting" : "saved", plan.name, plan.dose ?? "-", schedule]
            print("plan\t\(words.joined(separator: "\t"))\t\(next)\t\(standing.givenToday)")
        }
        for reminder in try await home.store.reminders() where reminder.childID == child.id {
            let state = reminder.isWaiting ? "waiting" : "saved"
            switch reminder.about {
            case .last(let subject)?:
                print("reminder\t\(state)\t\(subject.rawValue)\t\((reminder.after?.components.seconds ?? 0) / 60)")
            case .plan(let id)?: print("reminder\t\(state)\t\(plans.first { $0.id == id }?.name ?? "-")\twhen due")
            case nil: continue
            }
        }
    }
}

struct PlanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan", abstract: "Plan a medicine, change the plan of that name, or delete it.",
        discussion: """
            plan Paracetamol --dose "2.5 ml" --every 6 --most 4 · plan "Vitamin D" --at 08:00 · plan Iron --needed
            plan Paracetamol --until 2026-12-01 · plan Paracetamol --delete
            """)
    @OptionGroup var phone: PhoneOptions
    @Option(help: "The child's name; the family's first otherwise.") var child: String?
    @Option(help: "How much is given.") var dose: String?
    @Option(help: "Hours between two doses.") var every: Int?
    @Option(help: "A time of day, HH:MM; again for each.") var at: [String] = []
    @Flag(help: "It is given when needed.") var needed = false
    @Option(help: "So often at most in a day.") var most: Int?
    @Option(help: "The first day, YYYY-MM-DD; today otherwise.") var from: String?
    @Option(help: "The last day, YYYY-MM-DD.") var until: String?
    @Flag(help: "Delete it; what was given stays.") var delete = false
    @Argument(help: "The medicine.") var name: String

    @MainActor mutating func run() async throws {
        let home = try await phone.signedIn().home
        let child = try await phone.child(child, home)
        let plan = try await home.store.plans(of: child.id).first { $0.name.lowercased() == name.lowercased() }
        guard plan != nil || !delete else { throw ValidationError("There is no plan of \(name).") }
        let editor = PlanEditor(home, child: child, plan: plan)
        try fill(editor)
        if delete { await editor.delete() } else { await editor.save() }
        say(editor.message)
        switch editor.step {
        case .saved(let plan): print(line(plan.entry))
        case .deleted: break
        case .editing: throw ExitCode.failure
        }
        try? await home.engine.sendChanges()
    }

    @MainActor private func fill(_ editor: PlanEditor) throws {
        editor.name = editor.plan?.name ?? name
        editor.dose = dose ?? editor.dose
        editor.maxPerDay = most ?? editor.maxPerDay
        if let every { (editor.way, editor.hours) = (.hours, every) }
        if !at.isEmpty { (editor.way, editor.times) = (.times, at) }
        if needed { editor.way = .needed }
        editor.startsOn = try date(from) ?? editor.startsOn
        editor.endsOn = try date(until) ?? editor.endsOn
    }

    private func date(_ text: String?) throws -> CalendarDate? {
        guard let text else { return nil }
        guard let date = CalendarDate(text) else { throw ValidationError("\(text) is no date.") }
        return date
    }
}

struct Give: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Give a dose of a plan, now; one that the plan speaks against is asked about first.")
    @OptionGroup var phone: PhoneOptions
    @Option(help: "The child's name; the family's first otherwise.") var child: String?
    @Flag(help: "Give it although the plan speaks against it.") var anyway = false
    @Argument(help: "The medicine.") var name: String

    @MainActor mutating func run() async throws {
        let home = try await phone.signedIn().home
        let today = Today(home, child: try await phone.child(child, home))
        for _ in 0..<500 where today.summary == nil { try await Task.sleep(for: .milliseconds(10)) }
        let plans = try await home.store.plans(of: today.child.id)
        guard let plan = plans.first(where: { $0.name.lowercased() == name.lowercased() }) else {
            throw ValidationError("There is no plan of \(name).")
        }
        await today.give(plan)
        if today.question != nil, anyway { await today.giveAnyway() }
        if let question = today.question { say(question) }
        say(today.message)
        guard today.question == nil, let given = home.undo?.entry else { throw ExitCode.failure }
        print(line(given))
        try? await home.engine.sendChanges()
    }
}

struct Remind: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Set a reminder of this person's, or take it away.",
        discussion: "remind feeding --after 180 · remind Paracetamol · remind feeding --off")
    @OptionGroup var phone: PhoneOptions
    @Option(help: "The child's name; the family's first otherwise.") var child: String?
    @Option(help: "So many minutes after the last one.") var after: Int?
    @Flag(help: "Take it away.") var off = false
    @Argument(help: "feeding, diaper, sleep, pumping, or the medicine of a plan.") var about: String

    @MainActor mutating func run() async throws {
        let home = try await phone.signedIn().home
        let child = try await phone.child(child, home)
        let subject = try await subject(home, child)
        if off {
            try await home.store.forgetReminder(of: subject, child: child.id)
        } else {
            try await home.store.remind(of: subject, child: child.id, after: after.map { .seconds(60 * $0) })
        }
        try? await home.engine.sendChanges()
    }

    @MainActor private func subject(_ home: Home, _ child: StoredChild) async throws -> StoredReminder.About {
        if let subject = Reminder.Subject(rawValue: about) {
            guard off || after.map({ (15...1440).contains($0) }) ?? false else {
                throw ValidationError("After how many minutes? 15 to 1440: use --after.")
            }
            return .last(subject)
        }
        let plans = try await home.store.plans(of: child.id)
        guard let plan = plans.first(where: { $0.name.lowercased() == about.lowercased() }) else {
            throw ValidationError("There is no plan of \(about).")
        }
        return .plan(plan.id)
    }
}
