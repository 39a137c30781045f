import BabyBasicsAPI
import Foundation
import Testing

@testable import BabyBasicsKit

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A phone that is killed in the midst of logging, editing and deleting, again and again.
@Suite struct CrashTests {
    @Test func aStoreGoesOnAfterEveryKill() async throws {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("crash-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let file = directory.appendingPathComponent("store.sqlite")
        let user = UserID(UUID())
        let child = ChildID(UUID())
        try await prepare(file, user, child)
        var present: Set<String> = []
        var said = 0
        for kill in 0..<25 {
            let lines = try Scribbler(file, child, user, seed: kill).run(
                killedAfterLines: 1 + kill * 3 % 40)
            said += lines.count
            for line in lines {
                let words = line.split(separator: " ")
                if words[0] == "logged" { present.insert(String(words[1])) }
                // Between this word and the deed the process may have been killed.
                if words[0] == "deleting" { present.remove(String(words[1])) }
            }
            let store = try AccountStore(file: file, userID: user)
            #expect(try await store.problems().isEmpty)
            let entries = try await store.entries(of: child, EntryFilter(limit: .max))
            let lost = present.subtracting(entries.map(\.id.text))
            #expect(lost.isEmpty, "lost after kill \(kill)")
            // All is new to the server, so each waits as one creation with what is shown.
            let waiting = try await store.pendingChanges()
            #expect(waiting.allSatisfy { $0.operation == .create })
            #expect(Set(waiting.map(\.entryID)) == Set(entries.map(\.id)))
            try store.close()
        }
        #expect(said > 100)
    }

    private func prepare(_ file: URL, _ user: UserID, _ child: ChildID) async throws {
        let store = try AccountStore(file: file, userID: user)
        let family = FamilyID(UUID())
        try await store.adopt(
            ServerFamily(
                id: family, name: "The Crash", policy: .standard, ownerID: user, revision: 1, createdAt: .systemNow,
                updatedAt: .systemNow), role: .parent)
        try await store.adopt(
            ServerChild(
                id: child, familyID: family, name: "Wren", dateOfBirth: CalendarDate(daysSince1970: 20_000),
                createdAt: .systemNow, revision: 2))
        try store.close()
    }
}

/// The process that writes.
private struct Scribbler {
    private let arguments: [String]

    init(_ file: URL, _ child: ChildID, _ user: UserID, seed: Int) {
        arguments = ["scribble", file.path, child.description, user.description, "--seed", String(seed)]
    }

    /// Kills it once it has said so much; what it said, whole lines only.
    func run(killedAfterLines count: Int) throws -> [String] {
        let pipe = Pipe()
        let process = try PhoneProcess(arguments, output: pipe.fileHandleForWriting.fileDescriptor)
        try pipe.fileHandleForWriting.close()
        var bytes = Data()
        var isKilled = false
        while true {
            let more = pipe.fileHandleForReading.availableData
            if more.isEmpty { break }
            bytes += more
            if !isKilled, bytes.count(where: { $0 == UInt8(ascii: "\n") }) >= count {
                kill(process.identifier, SIGKILL)
                isKilled = true
            }
        }
        _ = process.wait()
        let text = String(decoding: bytes, as: UTF8.self)
        let whole = text.lastIndex(of: "\n").map { text[..<$0] } ?? ""
        return whole.split(separator: "\n").map(String.init)
    }
}
