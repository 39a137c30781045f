import ArgumentParser
import BabyBasicsAPI
import BabyBasicsKit
import Foundation

struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show entries from the phone's store, newest first.")
    @OptionGroup var phone: PhoneOptions
    @Option(help: "The child's name; the family's first otherwise.") var child: String?
    @Option(help: "At most that many.") var limit = 20
    @Flag(help: "Read what is new first.") var fetch = false

    @MainActor mutating func run() async throws {
        let home = try await phone.signedIn().home
        if fetch { try await home.engine.fetchChanges() }
        let child = try await phone.child(child, home)
        for entry in try await home.store.entries(of: child.id, EntryFilter(limit: limit)) {
            print(line(entry))
        }
    }
}

struct Log: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Log something; it is sent if the phone is online.",
        discussion: """
            log bottle 120 · log breast left · log solid Pear · log diaper wet
            log sleep · log wake · log note First smile
            log pumping 90 left · log measurement 5.2 57.5 39 · log temperature 38.4 ear
            log medication Paracetamol, 2.5 ml · log activity Tummy time · log stop
            """)
    @OptionGroup var phone: PhoneOptions
    @Option(help: "The child's name; the family's first otherwise.") var child: String?
    @Option(help: "How many minutes ago.") var ago = 0
    @Option(help: "How many minutes it took.") var minutes: Int?
    @Option(help: "What is written beside it.") var notes = ""
    @Flag(help: "Log a dose that its plan speaks against.") var anyway = false
    @Argument(
        help: """
            bottle, breast, solid, diaper, sleep, note, pumping, measurement (weight, length, head; - for none), \
            temperature, medication, activity; wake ends a sleep, stop anything that goes on.
            """) var what: String
    @Argument(help: "An amount, a side, a finding, words.") var words: [String] = []

    @MainActor mutating func run() async throws {
        let home = try await phone.signedIn().home
        let child = try await phone.child(child, home)
        if what == "wake" || what == "stop" {
            let filter = EntryFilter(kinds: what == "wake" ? ["sleep"] : nil, limit: 50)
            guard
                let running = try await home.store.entries(of: child.id, filter)
                    .first(where: \.isRunning)
            else { throw ValidationError("\(child.name) is awake, and nothing goes on.") }
            let end = max(Timestamp.systemNow.adding(.seconds(-60 * ago)), running.at).description
            print(line(try await home.store.edit(running.id, ["ended_at": .text(end)])))
        } else {
            let form = LogEntry(home, kind: try kind, child: child)
            form.when = ago == 0 ? .now : .minutesAgo(ago)
            form.end = minutes.map { .minutesAgo(ago - $0) }
            form.notes = notes
            try fill(form)
            await form.save(anyway: anyway)
            say(form.message)
            if case .asking(let question) = form.step { say(question) }
            guard case .logged(let entry) = form.step else { throw ExitCode.failure }
            print(line(entry))
        }
        try? await home.engine.sendChanges()
    }

    private var kind: EventKind {
        get throws {
            switch what {
            case "bottle", "breast", "solid": FeedingDetails.kind
            default:
                if let kind = EventKind.all.first(where: { $0.name == what }) {
                    kind
                } else {
                    throw ValidationError("\(what) is nothing that can be logged.")
                }
            }
        }
    }

    @MainActor private func fill(_ form: LogEntry) throws {
        let first = words.first ?? ""
        switch what {
        case "bottle":
            form.method = .bottle
            form.amount = Double(first)
        case "breast":
            guard let side = FeedingDetails.Side(rawValue: first) else {
                throw ValidationError("Which side? left, right or both.")
            }
            form.method = .breast
            form.side = side
        case "solid":
            form.method = .solid
            form.food = words.joined(separator: " ")
        case "diaper":
            guard let finding = DiaperDetails.Finding(rawValue: first) else {
                throw ValidationError("What was it? wet, dirty, mixed or dry.")
            }
            form.finding = finding
        case "note": form.text = words.joined(separator: " ")
        case "pumping":
            form.amount = Double(first)
            form.pumpedSide = words.last.flatMap { PumpingDetails.Side(rawValue: $0) }
        case "measurement":
            let numbers = words.map { Double($0) }
            (form.weight, form.length, form.head) = (numbers.at(0), numbers.at(1), numbers.at(2))
        case "temperature":
            form.degrees = Double(first)
            form.site = words.last.flatMap { TemperatureDetails.Site(rawValue: $0) }
        case "medication":
            let parts = words.joined(separator: " ").split(separator: ",", maxSplits: 1).map(String.init)
            form.name = parts.first ?? ""
            form.dose = parts.dropFirst().first ?? ""
        case "activity": form.name = words.joined(separator: " ")
        default: break
        }
    }
}

extension [Double?] {
    /// Nil for what was not given, too.
    fileprivate func at(_ index: Int) -> Double? { indices.contains(index) ? self[index] : nil }
}

struct Edit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Change fields of an entry: amount_ml=90 notes=\"…\"; notes= takes it away.")
    @OptionGroup var phone: PhoneOptions
    @Argument(help: "The entry's id.") var id: String
    @Argument(help: "field=value.") var changes: [String]

    @MainActor mutating func run() async throws {
        guard let id = UUID(uuidString: id) else { throw ValidationError("\(id) is no id.") }
        var patch: FieldChanges = [:]
        for change in changes {
            let parts = change.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw ValidationError("\(change) is no field=value.") }
            let text = String(parts[1])
            let value: EntryValue? =
                if text.isEmpty {
                    nil
                } else if let number = Double(text), abs(number) < 1e9 {
                    .number(Tenths(floatLiteral: number))
                } else {
                    .text(text)
                }
            patch.updateValue(value, forKey: String(parts[0]))
        }
        let home = try await phone.signedIn().home
        print(line(try await home.store.edit(id, patch)))
        try? await home.engine.sendChanges()
    }
}

struct Delete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Delete an entry.")
    @OptionGroup var phone: PhoneOptions
    @Argument(help: "The entry's id.") var id: String

    @MainActor mutating func run() async throws {
        guard let id = UUID(uuidString: id) else { throw ValidationError("\(id) is no id.") }
        let home = try await phone.signedIn().home
        try await home.store.delete(id)
        try? await home.engine.sendChanges()
    }
}

struct Summary: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Show the day, computed here.")
    @OptionGroup var phone: PhoneOptions
    @Option(help: "The child's name; the family's first otherwise.") var child: String?

    @MainActor mutating func run() async throws {
        let home = try await phone.signedIn().home
        let today = Today(home, child: try await phone.child(child, home))
        for _ in 0..<500 where today.summary == nil { try await Task.sleep(for: .milliseconds(10)) }
        guard let day = today.summary else { throw ExitCode.failure }
        print("day\t\(day.date)\t\(day.startsAt)\t\(day.endsAt)")
        print("feedings\t\(day.feedings.count)\t\(day.feedings.bottleMl)")
        print("diapers\t\(day.diapers.count)")
        print("sleep\t\(day.sleep.count)\t\(day.sleep.minutes)")
        for running in today.running { print("running\t\(running.entry.kind)\t\(running.title)") }
        for due in today.due { print("due\t\(due.isDue ? "now" : "later")\t\(due.text)\t\(due.detail)") }
        for due in today.dueReminders { print("reminder\t\(due.text)") }
        for last in today.last { print("last\t\(last.entry.kind)\t\(last.text)") }
        print("activities\t\(today.activities.joined(separator: "\t"))")
    }
}
