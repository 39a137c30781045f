import ArgumentParser
import BabyBasicsAPI
import BabyBasicsClient
import BabyBasicsKit
import Foundation

struct Drill: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Three phones at a real server that lose requests, answers and themselves.",
        shouldDisplay: false)
    @Option(help: "The server.") var server: String
    @Option(help: "A PEM file of the one authority to trust.") var ca: String?
    @Option(help: "How many things are done.") var rounds = 1000
    @Option(help: "What decides which.") var seed: UInt64 = 1
    @Option(help: "How likely each way loses something.") var loss = 0.2

    mutating func run() async throws {
        guard let url = URL(string: server) else {
            throw ValidationError("\(server) is no address")
        }
        let directory = FileManager.default.temporaryDirectory
            .appending(path: "babybasics-drill-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let transport: Transport =
            ca.map { .curl(certificateAuthority: URL(filePath: $0)) } ?? .urlSession()
        let house = try await DrillHouse(
            url: url, transport: transport, directory: directory, seed: seed)
        var torture = house.torture(loss: loss)
        for _ in 0..<rounds { try await torture.round() }
        try await torture.settle()
        try await torture.check(against: try await house.witness())
        let lost = torture.devices.map(\.line.lost)
        print(
            "\(rounds) rounds, seed \(seed): \(torture.loggedCount) entries logged,",
            "\(lost.map(\.requests).reduce(0, +)) requests and",
            "\(lost.map(\.answers).reduce(0, +)) answers lost; all equal")
        for (what, times) in torture.done.sorted(by: { $0.key < $1.key }) {
            print("\(times)\t\(what)")
        }
    }
}

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
        let store = try Store(file: URL(filePath: file), userID: user)
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
