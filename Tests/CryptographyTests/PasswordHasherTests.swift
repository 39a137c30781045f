import Foundation
import Synchronization
import Testing

@testable import Cryptography

@Suite("Passwords")
struct PasswordHasherTests {
    let hasher: PasswordHasher

    init() throws {
        hasher = try PasswordHasher(cost: 10, concurrency: 2, queue: 16, patience: .seconds(30))
    }

    @Test("A hash opens with its own password only")
    func roundTrip() throws {
        let hash = try hasher.hash("correct horse")
        #expect(hash.hasPrefix("$2b$10$"))
        #expect(hash.utf8.count == 60)
        #expect(try hasher.verify("correct horse", against: hash).matches)
        #expect(try !hasher.verify("correct horsf", against: hash).matches)
        #expect(try !hasher.verify("", against: hash).matches)
        #expect(try hasher.hash("correct horse") != hash, "the salt is random")
    }

    @Test("The default cost is 12")
    func cost() throws {
        let hasher = try PasswordHasher(concurrency: 1, queue: 1, patience: .seconds(30))
        #expect(try hasher.hash("correct horse").hasPrefix("$2b$12$"))
    }

    /// OpenBSD's and PHP's published vectors, made by other implementations.
    @Test(
        "Hashes made elsewhere verify",
        arguments: [
            ("U*U*", "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW", false),
            ("rasmuslerdorf", "$2y$10$.vGA1O9wmRjrwAVXD98HNOgsNpDczlqm3Jq7KnEd1rVAGv3Fykk1a", true),
            ("rasmuslerdorf", "$2a$10$.vGA1O9wmRjrwAVXD98HNOgsNpDczlqm3Jq7KnEd1rVAGv3Fykk1a", true),
            (
                "rasmuslerdorg", "$2y$10$.vGA1O9wmRjrwAVXD98HNOgsNpDczlqm3Jq7KnEd1rVAGv3Fykk1a",
                false
            ),
        ])
    func foreign(_ password: String, _ hash: String, _ matches: Bool) throws {
        #expect(try hasher.verify(password, against: hash).matches == matches)
    }

    @Test("What bcrypt would cut off or stop at still counts")
    func longPasswords() throws {
        let long = String(repeating: "a", count: 72)
        for (password, others) in [
            (long, [long + "b", String(long.dropLast())]),
            (long + "b", [long, long + "c", long + "bb"]),
            ("pass\u{0}word", ["pass", "pass\u{0}Word", "pass\u{0}word\u{0}"]),
        ] {
            let hash = try hasher.hash(password)
            #expect(try hasher.verify(password, against: hash).matches)
            for other in others { #expect(try !hasher.verify(other, against: hash).matches) }
        }
    }

    @Test("The shortened form of a long password does not open its account")
    func marks() throws {
        let long = String(repeating: "a", count: 100)
        let shortened = Encoding.base64(Digest.sha384(long.utf8))
        let marked = try hasher.hash(long)
        #expect(marked.hasPrefix("sha384:$2b$"))
        #expect(try !hasher.verify(shortened, against: marked).matches)
        let plain = try hasher.hash(shortened)
        #expect(try !hasher.verify(long, against: plain).matches)
        #expect(try !hasher.verify(shortened, against: "sha384:" + plain).matches)
        #expect(try !hasher.verify(long, against: String(marked.dropFirst(7))).matches)
    }

    @Test("A weaker hash is to be renewed, a hash of today's cost is not")
    func renewal() throws {
        let stronger = try PasswordHasher(
            cost: 11, concurrency: 1, queue: 1, patience: .seconds(30))
        let hash = try hasher.hash("correct horse")
        #expect(try stronger.verify("correct horse", against: hash).needsRenewal)
        #expect(try !stronger.verify("wrong", against: hash).needsRenewal)
        #expect(try !hasher.verify("correct horse", against: hash).needsRenewal)
        let today = try stronger.hash("correct horse")
        #expect(try !hasher.verify("correct horse", against: today).needsRenewal)
    }

    @Test(
        "Unusable hashes never match, nor does no account",
        arguments: [
            nil, "", "*0", "*1", "x", "$2b$12$",
            "$2b$09$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
            "$2b$15$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
            "$2x$10$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW", "sha384:",
            "$6$saltsalt$qFmFH.bQmmtXzyBY0s9v7Oicd2z4XSIecDzlB5KiA2/jctKu9YterLp8wwnSq.qc.eoxqOmSuNp2xS0ktL3nh/",
        ])
    func unusable(_ stored: String?) throws {
        #expect(try !hasher.verify("", against: stored).matches)
        #expect(try !hasher.verify("correct horse", against: stored).matches)
    }

    @Test("An unknown account takes as long as a known one")
    func equalWork() throws {
        let hash = try hasher.hash("correct horse")
        let kinds = [hash, nil, "*0", "sha384:" + hash]
        // In turn: whatever else runs meanwhile takes from all of them alike.
        let rounds = try (0..<15).map { _ in
            try kinds.map { stored in
                try ContinuousClock().measure { _ = try hasher.verify("wrong", against: stored) }
            }
        }
        let medians = kinds.indices.map { kind in rounds.map { $0[kind] }.sorted()[7] }
        for other in medians {
            #expect(other > medians[0] * 0.5 && other < medians[0] * 2, "\(medians)")
        }
    }

    @Test("Beyond the width callers wait, beyond the queue they are turned away at once")
    func gate() throws {
        let gate = Gate(width: 2, queue: 3, patience: .seconds(30))
        let release = DispatchSemaphore(value: 0)
        let passed = Mutex(0)
        let done = DispatchGroup()
        for _ in 0..<5 {
            done.enter()
            Thread.detachNewThread {
                try? gate.enter {
                    release.wait()
                    passed.withLock { $0 += 1 }
                }
                done.leave()
            }
        }
        while gate.statistics.running != 2 || gate.statistics.waiting != 3 { usleep(1000) }
        let refusal = ContinuousClock().measure {
            #expect(throws: CryptographyError.hashingQueueFull) { try gate.enter {} }
        }
        #expect(refusal < .milliseconds(500))
        for _ in 0..<5 { release.signal() }
        done.wait()
        #expect(passed.withLock { $0 } == 5)
        let statistics = gate.statistics
        #expect(statistics.running == 0 && statistics.waiting == 0)
        #expect(statistics.admitted == 5 && statistics.turnedAway == 1)
    }

    @Test("Who waits too long is turned away, and the place is free again after an error")
    func patience() throws {
        let gate = Gate(width: 1, queue: 1, patience: .milliseconds(50))
        let release = DispatchSemaphore(value: 0)
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            try? gate.enter { release.wait() }
            done.signal()
        }
        while gate.statistics.running == 0 { usleep(1000) }
        #expect(throws: CryptographyError.hashingQueueFull) { try gate.enter {} }
        release.signal()
        done.wait()
        #expect(throws: CancellationError.self) { try gate.enter { throw CancellationError() } }
        #expect(try gate.enter { 5 } == 5)
        #expect(gate.statistics.turnedAway == 1)
    }
}
