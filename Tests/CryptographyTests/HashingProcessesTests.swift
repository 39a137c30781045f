import Foundation
import Glibc
import Synchronization
import Testing

@testable import Cryptography

@Suite("The processes that hash")
struct HashingProcessesTests {
    /// The first argument of this test's own processes.
    private let name = "hashing-\(UUID().uuidString)"
    private let reports = Reports()

    private func processes() throws -> HashingProcesses {
        HashingProcesses(try .ofTests(name)) { [reports] in reports.add($0) }
    }

    private func hasher(cost: Int = 10, _ processes: HashingProcesses) throws -> PasswordHasher {
        try PasswordHasher(
            cost: cost, concurrency: 2, queue: 16, patience: .seconds(60), processes: processes)
    }

    /// Those of this test that are there now.
    private var children: [pid_t] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.filter {
            let line = try? String(contentsOfFile: "/proc/\($0)/cmdline", encoding: .utf8)
            return line?.hasPrefix(name) == true
        }
    }

    private func isAtWork(_ process: pid_t) -> Bool {
        let line = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return line?.contains(") R ") == true
    }

    @Test("Passwords are hashed and checked by a process, which is kept")
    func roundTrip() throws {
        let hasher = try hasher(processes())
        let hash = try hasher.hash("correct horse")
        let first = children
        #expect(first.count == 1)
        #expect(try hasher.verify("correct horse", against: hash).matches)
        #expect(try !hasher.verify("correct horsf", against: hash).matches)
        #expect(try !hasher.verify("correct horse", against: nil).matches)
        let long = String(repeating: "ö", count: 100) + "\u{0}"
        #expect(try hasher.verify(long, against: hasher.hash(long)).matches)
        #expect(children == first)
        #expect(reports.all == [])
        hasher.close()
        #expect(children == [])
    }

    @Test("There are no more of them than are hashed at a time")
    func bounded() throws {
        let hasher = try hasher(processes())
        let most = Mutex(0)
        let matching = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 12) { number in
            guard let hash = try? hasher.hash("password \(number)") else { return }
            let count = children.count
            most.withLock { $0 = max($0, count) }
            // Nobody is given another's answer.
            if (try? hasher.verify("password \(number)", against: hash).matches) == true {
                matching.withLock { $0 += 1 }
            }
        }
        #expect(matching.withLock { $0 } == 12)
        #expect((1...2).contains(most.withLock { $0 }))
        #expect(reports.all == [])
        withExtendedLifetime(hasher) {}
    }

    @Test(
        "Killed in the middle of its work or while it has none, it is replaced",
        arguments: [true, false])
    func killed(inTheMiddle: Bool) throws {
        let hasher = try hasher(cost: 12, processes())
        let hash = try hasher.hash("correct horse")
        let first = try #require(children.first)
        let done = DispatchGroup()
        let matches = Mutex(false)
        if !inTheMiddle { kill(first, SIGKILL) }
        DispatchQueue.global().async(group: done) {
            let verdict = try? hasher.verify("correct horse", against: hash)
            matches.withLock { $0 = verdict?.matches == true }
        }
        if inTheMiddle {
            #expect(eventually { isAtWork(first) })
            kill(first, SIGKILL)
        }
        #expect(done.wait(timeout: .now() + 30) == .success)
        #expect(matches.withLock { $0 })
        #expect(children.count == 1 && children.first != first)
        #expect(reports.all == [], "the next one did it")
    }

    @Test(
        "Where there is none, or none that is of use, a password is hashed all the same",
        arguments: [
            ("/nowhere", "posix_spawn: No such file or directory"),
            ("/bin/true", "recv: Connection reset by peer"),
            ("/bin/cat", "recv: Bad message"),
        ])
    func useless(_ program: String, _ reason: String) throws {
        let processes = HashingProcesses(HashingCommand(program: program, arguments: [name])) {
            [reports] in reports.add($0)
        }
        let hasher = try hasher(processes)
        let hash = try hasher.hash("correct horse")
        #expect(try hasher.verify("correct horse", against: hash).matches)
        // One that has ended already may be noticed when it is asked, too.
        #expect(reports.all.count == 2)
        #expect(
            reports.all.allSatisfy { $0 == reason || $0 == "send: Broken pipe" }, "\(reports.all)")
        #expect(children == [])
    }

    @Test("One that stands still is waited for only so long")
    func patience() throws {
        let command = HashingCommand(program: "/bin/sleep", arguments: [name, "60"])
        let processes = HashingProcesses(command, patience: .seconds(2)) {
            [reports] in reports.add($0)
        }
        let hasher = try hasher(processes)
        let took = try ContinuousClock().measure { _ = try hasher.hash("correct horse") }
        #expect(took >= .seconds(2) && took < .seconds(4))
        #expect(reports.all == ["recv: Resource temporarily unavailable"])
        #expect(children == [])
    }

    /// What was told, in its order.
    private final class Reports: Sendable {
        private let collected = Mutex<[String]>([])
        var all: [String] { collected.withLock { $0 } }
        func add(_ reason: String) { collected.withLock { $0.append(reason) } }
    }
}
