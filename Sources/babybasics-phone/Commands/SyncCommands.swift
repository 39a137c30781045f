import ArgumentParser
import BabyBasicsKit
import Foundation

struct Sync: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Send what waits, read what is new.")
    @OptionGroup var phone: PhoneOptions

    @MainActor mutating func run() async throws {
        let home = try await phone.signedIn().home
        do {
            try await home.engine.sendChanges()
            try await home.engine.fetchChanges()
        } catch {
            say(home.texts.failure(error))
            throw ExitCode.failure
        }
        for notice in try await home.store.notices() { print(home.texts.notice(notice.notice)) }
        for rejected in try await home.store.rejectedChanges() { print(home.texts.rejected(rejected)) }
    }
}

struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Stay on screen: show what changes, whoever changes it.")
    @OptionGroup var phone: PhoneOptions
    @Option(help: "The child's name; the family's first otherwise.") var child: String?
    @Option(help: "End after that many seconds.") var seconds: Int?

    @MainActor mutating func run() async throws {
        let (account, home) = try await phone.signedIn()
        let child = try await phone.child(child, home)
        let timeline = EntryTimeline(home, child: child)
        await home.engine.start()
        show("watching\t\(child.name)")
        let end = seconds.map { ContinuousClock.now + .seconds($0) }
        var shown: [UUID: StoredEntry] = [:]
        var said: String?
        while account.home != nil, end.map({ ContinuousClock.now < $0 }) ?? true {
            let entries = timeline.sections.flatMap(\.entries)
            for entry in entries.reversed() where shown[entry.id] != entry { show(line(entry)) }
            let now = Dictionary(uniqueKeysWithValues: entries.map { ($0.id, $0) })
            for id in shown.keys where now[id] == nil {
                show("\(id.uuidString.lowercased())\tgone")
            }
            shown = now
            if let status = home.status.line, status != said {
                said = status
                FileHandle.standardError.write(Data("\(status)\n".utf8))
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        await home.engine.stop()
    }

    /// Written at once, for whoever reads this by a pipe.
    private func show(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }
}
