import Foundation
import Synchronization
import Testing

/// Whoever follows the changes holds what the server holds, whatever commits beside.
@Suite("The changes have no gap")
struct GapFreeTests {
    /// SYNC_ROUNDS in the environment for more; SYNC_SEED to see a course of events again, as far as threads allow.
    static let rounds = setting("SYNC_ROUNDS") ?? 20
    static let firstSeed = UInt64(setting("SYNC_SEED") ?? Int.random(in: 0...1_000_000))

    private static func setting(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap(Int.init)
    }

    @Test("8 writers and a follower end with the same state")
    func property() throws {
        let server = try TestServer(connections: 10)
        let parents = try (0..<8).map { try server.user("Parent \($0)") }
        let guests = try (0..<3).map { try server.user("Guest \($0)") }
        var followed = (polls: 0, changes: 0)
        for round in 0..<Self.rounds {
            let seed = Self.firstSeed + UInt64(round)
            let life = try FamilyLife(server, parents: parents, guests: guests)
            let writing = Atomic<Int>(parents.count)
            let reader = parents[7]
            let results = race(parents.count + 1) { index -> Result<Follower?, any Error> in
                guard index < parents.count else {
                    return Result { try follow(life, as: reader, seed: seed, while: writing) }
                }
                var random = SeededGenerator(seed: seed << 8 | UInt64(index))
                let deeds = Int.random(in: 8...16, using: &random)
                for deed in 0..<deeds {
                    if index == 1, deed == deeds / 2, seed.isMultiple(of: 2) { life.removeOwner() }
                    life.act(as: parents[index], &random)
                }
                writing.subtract(1, ordering: .sequentiallyConsistent)
                return .success(nil)
            }
            var follower = try #require(try results.compactMap { try $0.get() }.first)
            followed.polls += follower.polls
            try follower.catchUp(as: reader, limit: 7)
            followed.changes += follower.applied
            let truth = try server.things(of: life.family, as: reader)
            #expect(differences(follower.things, truth) == [], "seed \(seed)")
            var newcomer = Follower(server, life.family)
            try newcomer.catchUp(as: reader, limit: 13)
            #expect(differences(newcomer.things, truth) == [], "seed \(seed), from 0")
            #expect(life.surprises == [], "seed \(seed): \(server.log.lines.filter { $0.contains("status=503") })")
        }
        // A follower that only looked at the end would show nothing.
        #expect(followed.polls > Self.rounds * 5)
        print("\(Self.rounds) rounds: \(followed.polls) polls, \(followed.changes) changes")
    }

    private func follow(
        _ life: FamilyLife, as reader: TestUser, seed: UInt64, while writing: borrowing Atomic<Int>
    ) throws -> Follower {
        var random = SeededGenerator(seed: seed << 8 | 255)
        var follower = Follower(life.server, life.family)
        while writing.load(ordering: .sequentiallyConsistent) > 0 {
            try follower.poll(as: reader, limit: Int.random(in: 1...9, using: &random))
        }
        return follower
    }
}

/// SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return value ^ (value >> 31)
    }
}
