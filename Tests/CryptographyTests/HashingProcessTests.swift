import Foundation
import Glibc
import Synchronization
import Testing

@testable import Cryptography

@Suite("A process that hashes")
struct HashingProcessTests {
    private static let vector = "$2y$10$.vGA1O9wmRjrwAVXD98HNOgsNpDczlqm3Jq7KnEd1rVAGv3Fykk1a"

    private func start() throws -> HashingProcess {
        try HashingProcess(.ofTests(), patience: .seconds(30))
    }

    @Test("It answers as bcrypt does, one job after another, whatever bytes the passwords have")
    func answers() throws {
        let process = try start()
        let known = HashingJob(Array("rasmuslerdorf".utf8), setting: Self.vector)
        #expect(try process.answer(known) == Self.vector)
        let all = (1...255).map { UInt8($0) }
        for first in stride(from: 0, to: 255, by: 72) {
            let job = HashingJob(Array(all[first..<min(255, first + 72)]), setting: Self.vector)
            #expect(try process.answer(job) == job.result())
        }
        let nothing = HashingJob([], setting: Self.vector)
        #expect(try process.answer(nothing) == nothing.result())
        let new = try HashingJob([65], setting: Bcrypt.setting(cost: 10, salt: [0x17] + all[..<15]))
        #expect(try process.answer(new) == new.result())
    }

    @Test("A job arrives as it was sent, and nothing else is one")
    func messages() {
        for secret in [[], [65], Array(184...255), Array(repeating: UInt8(ascii: "$"), count: 72)] {
            let job = HashingJob(secret, setting: Self.vector)
            #expect(job.message.count <= HashingJob.room)
            #expect(HashingJob(message: job.message[...]) == job)
        }
        #expect(HashingJob(message: []) == nil)
        #expect(HashingJob(message: Array("help\n".utf8)) == nil)
    }

    @Test("An answer is a whole hash with the salt and the cost that were asked for")
    func answered() {
        let job = HashingJob([65], setting: Self.vector)
        #expect(job.isAnswered(by: Self.vector))
        #expect(job.isAnswered(by: String(Self.vector.dropLast()) + "b"))
        for other in [
            "", "*", "*0", String(Self.vector.dropLast()), Self.vector + "a",
            Self.vector.replacingOccurrences(of: "$10$", with: "$11$"),
            Self.vector.replacingOccurrences(of: "vGA1", with: "vGA2"),
        ] { #expect(!job.isAnswered(by: other), "\(other)") }
    }

    @Test("It has a session of its own, and the processors when nobody else wants them")
    func quiet() throws {
        let process = try start()
        let identifier = process.identifier
        let weight = URL(filePath: "/proc/\(identifier)/autogroup")
        let job = HashingJob([65], setting: Self.vector)
        // The kernel does not lower a weight at any time, so it is tried with each job.
        for _ in 0..<50 {
            _ = try process.answer(job)
            guard let text = try? String(contentsOf: weight, encoding: .utf8) else { break }
            if text.hasSuffix(" nice 19\n") { break }
        }
        #expect(sched_getscheduler(identifier) == 3, "SCHED_BATCH")
        #expect(getpriority(Int32(PRIO_PROCESS.rawValue), id_t(identifier)) == 19)
        #expect(getsid(identifier) == identifier && getsid(0) != identifier)
        if let text = try? String(contentsOf: weight, encoding: .utf8) {
            #expect(text.hasSuffix(" nice 19\n"))
        }
        // Who works for it has none of that.
        #expect(sched_getscheduler(0) == 0)
        withExtendedLifetime(process) {}
    }

    @Test("While it works it leaves its processor hundreds of times a second, while it waits never")
    func pauses() throws {
        let process = try start()
        let sleeps = {
            let status = try String(
                contentsOfFile: "/proc/\(process.identifier)/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary") }
            return try #require(line?.split(separator: "\t").last.flatMap { Int($0) })
        }
        // The first one has it started.
        _ = try process.answer(HashingJob([65], setting: Self.vector))
        let before = try sleeps()
        let job = HashingJob(
            [65], setting: Self.vector.replacingOccurrences(of: "$10$", with: "$12$"))
        _ = try process.answer(job)
        let after = try sleeps()
        #expect(after - before > 50, "in a tenth of a second of its own, or more")
        usleep(100_000)
        #expect(try sleeps() <= after + 1, "it may have been about to wait")
    }

    @Test("It is given no secret and nothing that is open here")
    func alone() throws {
        setenv("HASHING_TEST_SECRET", "a secret", 1)
        let file = open("/dev/null", O_RDONLY)
        defer { close(file) }
        let process = try start()
        _ = try process.answer(HashingJob([65], setting: Self.vector))
        let place = "/proc/\(process.identifier)"
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: place + "/fd").sorted() == [
                "0", "1", "2",
            ])
        #expect(try Data(contentsOf: URL(filePath: place + "/environ")).isEmpty)
        #expect(try String(contentsOfFile: place + "/comm", encoding: .utf8) == "babybasics-hash\n")
        withExtendedLifetime(process) {}
    }

    @Test(
        "It ends with its input, and no signal to stop ends it before",
        arguments: [SIGTERM, SIGINT, SIGHUP])
    func signals(signal: CInt) throws {
        var ends: [CInt] = [-1, -1]
        // A copy of our end in what another test starts meanwhile would keep it open.
        let type = CInt(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, type, 0, &ends) == 0)
        let identifier = try HashingCommand.ofTests().start(speakingTo: ends[1])
        close(ends[1])
        // Before it runs a line of its own, and in the middle of its work.
        kill(identifier, signal)
        let job = HashingJob(
            [65], setting: Self.vector.replacingOccurrences(of: "$10$", with: "$12$"))
        send(ends[0], job.message, job.message.count, 0)
        usleep(100_000)
        kill(identifier, signal)
        var answer = [UInt8](repeating: 0, count: 100)
        let count = recv(ends[0], &answer, answer.count, 0)
        #expect(try String(decoding: answer.prefix(max(0, count)), as: UTF8.self) == job.result())
        close(ends[0])
        var status: CInt = -1
        #expect(eventually { waitpid(identifier, &status, WNOHANG) == identifier })
        #expect(status == 0)
    }

    @Test("It goes with the value that stands for it")
    func end() throws {
        var process: HashingProcess? = try start()
        let identifier = try #require(process).identifier
        process = nil
        #expect(kill(identifier, 0) < 0 && errno == ESRCH, "not even a zombie is left")
    }
}

extension HashingCommand {
    /// The program that is built beside these tests.
    /// - Parameter name: what `children` finds them by.
    static func ofTests(_ name: String = "babybasics") throws -> HashingCommand {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let program = URL(filePath: tests).deletingLastPathComponent().appending(path: "babybasics")
        return HashingCommand(program: program.path, arguments: [name, "hash"])
    }
}

/// Waits for what should come soon.
func eventually(_ condition: () -> Bool) -> Bool {
    for _ in 0..<1000 {
        if condition() { return true }
        usleep(10_000)
    }
    return false
}
