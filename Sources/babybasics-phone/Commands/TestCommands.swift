import ArgumentParser
import BabyBasicsAPI
import BabyBasicsKit
import Foundation

struct Scribble: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Log, edit and delete without end, and say each when it is done: to be killed.",
        shouldDisplay: false)
    @Argument(help: "The store's file.") var file: String
    @Argument(help: "The child.") var child: String
    @Argument(help: "The account.") var user: String
    @Option(help: "What decides what is done.") var seed: UInt64 = 1

    mutating func run() async throws {
        guard let child = ChildID(child), let user = UserID(user) else {
            throw ValidationError("These are no ids")
        }
        let store = try AccountStore(file: URL(filePath: file), userID: user)
        var random = Seeded(seed: seed)
        var mine: [UUID] = []
        while true {
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                let entry = try await store.log(
                    NoteDetails(content: "a note", occurredAt: .systemNow), for: child)
                mine.append(entry.id)
                say("logged", entry.id)
            case 2:
                guard let id = mine.last else { continue }
                let words = "words \(UInt32.random(in: 0..<1_000_000, using: &random))"
                try await store.edit(id, ["content": .text(words)])
                say("edited", id)
            default:
                guard let id = mine.popLast() else { continue }
                say("deleting", id)
                try await store.delete(id)
            }
        }
    }

    /// Written at once, so that it is out before the process is killed.
    private func say(_ what: String, _ id: UUID) {
        FileHandle.standardOutput.write(Data("\(what) \(id.uuidString.lowercased())\n".utf8))
    }
}

struct OpenStore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Open a store, or make it, for several processes at once.", shouldDisplay: false)
    @Argument(help: "The store's file.") var file: String
    @Argument(help: "The account.") var user: String

    mutating func run() async throws {
        guard let user = UserID(user) else { throw ValidationError("This is no id") }
        let store = try await AccountStore.open(file: URL(filePath: file), userID: user)
        guard try await store.problems().isEmpty else { throw ExitCode.failure }
    }
}
