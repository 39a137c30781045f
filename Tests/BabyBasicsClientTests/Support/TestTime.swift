import BabyBasicsClient
import Foundation
import Synchronization

/// Time that passes only by sleeping, and remembers each sleep.
final class TestTime: Sendable {
    private let sleeps = Mutex<[Duration]>([])

    /// Every pause that was made, in order.
    var pauses: [Duration] {
        sleeps.withLock { $0 }
    }

    /// 2026-11-21 00:00:00 UTC.
    static let date = Date(timeIntervalSince1970: 1_795_219_200)

    /// - Parameter random: how chance falls, every time.
    func policy(
        random: Double = 0, tries: Int = 4, totalTime: Duration = .seconds(30),
        timeout: Duration = .seconds(20)
    ) -> RetryPolicy {
        RetryPolicy(
            tries: tries, totalTime: totalTime, timeout: timeout,
            environment: RetryPolicy.Environment(
                uptime: { self.pauses.reduce(.zero, +) }, date: { Self.date },
                sleep: { pause in self.sleeps.withLock { $0.append(pause) } },
                random: { random }))
    }
}
