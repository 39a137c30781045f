import BabyBasicsAPI
import BabyBasicsClient
import Foundation
import Testing

@testable import babybasics_phone

/// Three phones that lose requests and answers, and die, at the real server. Another seed and length by hand:
/// `TORTURE_ROUNDS=1000 TORTURE_SEED=7 swift test --filter TortureTests`.
@Suite struct TortureTests {
    private static let environment = ProcessInfo.processInfo.environment

    @Test(arguments: environment["TORTURE_SEED"].flatMap(UInt64.init).map { [$0] } ?? [1, 2, 3])
    func phonesEndEqualToTheServer(seed: UInt64) async throws {
        let rounds = Self.environment["TORTURE_ROUNDS"].flatMap(Int.init) ?? 150
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("torture-\(UUID())")
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let server = try InProcessServer()
        let house = try await TortureHouse(server, directory: directory, seed: seed)
        var torture = house.torture(loss: 0.2)
        for round in 0..<rounds {
            try await torture.round()
            // The nightly purge: who was away for long has to read everything anew.
            if round % 60 == 59 { try server.purge() }
        }
        try await torture.settle()
        try await torture.check(against: try await house.witness())
        #expect(torture.loggedCount > rounds / 5)
        let lost = torture.devices.map(\.line.lost)
        #expect(lost.map(\.requests).reduce(0, +) > 0 && lost.map(\.answers).reduce(0, +) > 0)
    }
}
