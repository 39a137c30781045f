import Foundation
import Synchronization
import Testing

@testable import Cryptography

@Suite("Passwords")
struct PasswordHasherTests {
    let hasher: PasswordHasher

    init() throws {
        hasher = try PasswordHasher(
            cost: 10, concurrency: 2, limit: 64, timeout: .seconds(600), isIdle: false)
    }

    @Test("A hash opens with its own password only")
    func roundTrip() async throws {
        let hash = try await hasher.hash("correct horse")
        #expect(hash.hasPrefix("$2b$10$"))
        #expect(hash.utf8.count == 60)
        #expect(try await hasher.verify("correct horse", against: hash, for: .knownDevice).matches)
        #expect(try await !hasher.verify("correct horsf", against: hash, for: .knownDevice).matches)
        #expect(try await !hasher.verify("", against: hash, for: .knownDevice).matches)
        #expect(try await hasher.hash("correct horse") != hash, "the salt is random")
    }

    @Test("The default cost is 12")
    func cost() async throws {
        let hasher = try PasswordHasher(timeout: .seconds(600), isIdle: false)
        #expect(try await hasher.hash("correct horse").hasPrefix("$2b$12$"))
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
    func foreign(_ password: String, _ hash: String, _ matches: Bool) async throws {
        #expect(
            try await hasher.verify(password, against: hash, for: .knownDevice).matches == matches)
    }

    @Test("What bcrypt would cut off or stop at still counts")
    func longPasswords() async throws {
        let long = String(repeating: "a", count: 72)
        for (password, others) in [
            (long, [long + "b", String(long.dropLast())]),
            (long + "b", [long, long + "c", long + "bb"]),
            ("pass\u{0}word", ["pass", "pass\u{0}Word", "pass\u{0}word\u{0}"]),
        ] {
            let hash = try await hasher.hash(password)
            #expect(try await hasher.verify(password, against: hash, for: .knownDevice).matches)
            for other in others {
                #expect(try await !hasher.verify(other, against: hash, for: .knownDevice).matches)
            }
        }
    }

    @Test("The shortened form of a long password does not open its account")
    func marks() async throws {
        let long = String(repeating: "a", count: 100)
        let shortened = Encoding.base64(Digest.sha384(long.utf8))
        let marked = try await hasher.hash(long)
        #expect(marked.hasPrefix("sha384:$2b$"))
        #expect(try await !hasher.verify(shortened, against: marked, for: .knownDevice).matches)
        let plain = try await hasher.hash(shortened)
        #expect(try await !hasher.verify(long, against: plain, for: .knownDevice).matches)
        #expect(
            try await !hasher.verify(shortened, against: "sha384:" + plain, for: .knownDevice)
                .matches)
        #expect(
            try await !hasher.verify(long, against: String(marked.dropFirst(7)), for: .knownDevice)
                .matches)
    }

    @Test("A weaker hash is to be renewed, a hash of today's cost is not")
    func renewal() async throws {
        let stronger = try PasswordHasher(
            cost: 11, timeout: .seconds(600), isIdle: false)
        let hash = try await hasher.hash("correct horse")
        #expect(
            try await stronger.verify("correct horse", against: hash, for: .knownDevice)
                .needsRenewal)
        #expect(try await !stronger.verify("wrong", against: hash, for: .knownDevice).needsRenewal)
        #expect(
            try await !hasher.verify("correct horse", against: hash, for: .knownDevice).needsRenewal
        )
        let today = try await stronger.hash("correct horse")
        #expect(
            try await !hasher.verify("correct horse", against: today, for: .knownDevice)
                .needsRenewal)
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
    func unusable(_ stored: String?) async throws {
        #expect(try await !hasher.verify("", against: stored, for: .knownDevice).matches)
        #expect(
            try await !hasher.verify("correct horse", against: stored, for: .knownDevice).matches)
    }

    @Test("An unknown account and an unusable hash cost the same work as a known account")
    func equalWork() async throws {
        let hash = try await hasher.hash("correct horse")
        let dummy = try Bcrypt.unmatchable(cost: 10)
        for stored in [hash, nil, "*0", "", "sha384:" + hash, "sha384:"] {
            let check = PasswordCheck("wrong", stored: stored, dummyHash: dummy)
            #expect(Bcrypt.cost(of: check.job(for: .newDevice).setting) == 10)
            let before = hasher.statistics.started
            _ = try await hasher.verify("wrong", against: stored, for: .newDevice)
            #expect(hasher.statistics.started == before + 1)
        }
    }

    @Test("A hash made of the bytes as sent still opens, and is to be renewed")
    func normalForms() async throws {
        let (composed, decomposed) = ("M\u{e4}uschen4711", "Ma\u{308}uschen4711")
        let old = try await hasher.hash(decomposed)
        #expect(
            try await !hasher.verify(composed, against: old, for: .knownDevice).matches,
            "these are two passwords, though equal as strings")
        let verdict = try await hasher.verify(
            composed, orAsSent: decomposed, against: old, for: .user(1))
        #expect(verdict.matches && verdict.needsRenewal)
        let new = try await hasher.hash(composed)
        let today = try await hasher.verify(
            composed, orAsSent: decomposed, against: new, for: .user(1))
        #expect(today.matches && !today.needsRenewal)
        for (normal, sent) in [("wrong", "wrong"), ("r\u{e4}ng", "ra\u{308}ng")] {
            let verdict = try await hasher.verify(
                normal, orAsSent: sent, against: new, for: .user(1))
            #expect(!verdict.matches && !verdict.needsRenewal)
        }
    }

    @Test("A password whose two forms are the same costs one computation")
    func oneForm() async throws {
        let before = hasher.statistics.started
        _ = try await hasher.verify("wrong", orAsSent: "wrong", against: nil, for: .newDevice)
        #expect(hasher.statistics.started == before + 1)
    }

    /// Without a suspension between the two, in which the first one might end on a busy machine.
    @Test("A second check of the same user is refused while the first one is not done")
    func oneOfAUser() async throws {
        let hasher = try PasswordHasher(timeout: .seconds(600), isIdle: false)
        let setting = try Bcrypt.setting(cost: 14, salt: SecureRandom.bytes(16))
        let jobs = (0..<2).map { _ in HashingJob([97], setting: setting, for: .user(1)) }
        for job in jobs { hasher.queue.submit(job) }
        #expect(hasher.isFull(for: .user(1)) && !hasher.isFull(for: .user(2)))
        #expect(!jobs[0].isFinished && jobs[1].isFinished)
        await #expect(throws: CryptographyError.hashingQueueFull) { try await jobs[1].result }
        _ = try await jobs[0].result
        #expect(!hasher.isFull(for: .user(1)))
    }

    @Test("Without room a new device is rejected before any work, a known one is not")
    func rejection() async throws {
        let hasher = try PasswordHasher(cost: 10, limit: 0, isIdle: false)
        await #expect(throws: CryptographyError.hashingQueueFull) {
            try await hasher.rejectIfFull { false }
        }
        #expect(hasher.statistics.refused == 1)
        try await hasher.rejectIfFull { true }
        let roomy = try PasswordHasher(cost: 10, isIdle: false)
        try await roomy.rejectIfFull {
            Issue.record("nobody needs to know")
            return false
        }
    }

    @Test("The dummy hash is of the form of a stored one, and matches nothing")
    func dummyHash() throws {
        let dummy = try Bcrypt.unmatchable(cost: 10)
        #expect(dummy.utf8.count == 60)
        #expect(Bcrypt.cost(of: dummy) == 10)
        let work = BcryptWork()
        work.prepare(Array("password".utf8), setting: dummy)
        work.compute()
        let computed = try work.result()
        #expect(computed.hasPrefix(dummy.prefix(29)))
        #expect(computed != dummy)
        #expect(try Bcrypt.unmatchable(cost: 10) != dummy)
    }
}
