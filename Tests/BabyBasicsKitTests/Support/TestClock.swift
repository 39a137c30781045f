import BabyBasicsAPI
import Foundation
import Synchronization
import Testing

@testable import BabyBasicsKit

/// A clock that only tests move.
final class TestClock: Sendable {
    private let time = Mutex(Timestamp("2026-11-25T12:00:00.000Z") ?? .systemNow)

    var now: Timestamp { time.withLock { $0 } }

    func advance(_ duration: Duration) { time.withLock { $0 = $0.adding(duration) } }

    /// Each look at it is a second later, so that no two things happen at once.
    var ticking: @Sendable () -> Timestamp {
        { [self] in
            time.withLock {
                $0 = $0.adding(.seconds(1))
                return $0
            }
        }
    }

    var environment: KitEnvironment {
        KitEnvironment(
            now: ticking, sleep: { try await Task.sleep(for: $0) },
            timeZone: { TimeZone(identifier: "Europe/Berlin") ?? .gmt }, languages: { ["en"] })
    }
}

/// What a phone says whose owner reads English.
let english = Texts(.en)

/// Waits until something holds; half a minute is more than any machine needs.
func eventually(
    isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () async throws -> Bool
) async throws {
    for _ in 0..<3000 {
        if try await condition() { return }
        try await Task.sleep(for: .milliseconds(10))
    }
    Issue.record("It does not come about", sourceLocation: sourceLocation)
}

/// A network that never changes.
struct StillNetwork: NetworkMonitor {
    func changes() -> AsyncStream<Void> { AsyncStream { _ in } }
}

/// A network that a test changes.
struct GivenNetwork: NetworkMonitor {
    private let pipe = AsyncStream.makeStream(of: Void.self)

    func changes() -> AsyncStream<Void> { pipe.stream }

    func change() { pipe.continuation.yield() }
}

/// A directory of a test's own, gone with it.
func withDirectory(
    isolation: isolated (any Actor)? = #isolation, _ work: (URL) async throws -> Void
) async throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("kit-\(UUID())")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    try await work(directory)
}
