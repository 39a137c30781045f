import Foundation
import Postgres
import TestSupport
import Testing

/// Takes minutes and a quiet machine, so it runs when asked for: `LOGIN_TIMINGS=1000 swift test --filter LoginTimingTests`.
@Suite("The time that a failed login takes", .serialized)
struct LoginTimingTests {
    static let rounds = Int(ProcessInfo.processInfo.environment["LOGIN_TIMINGS"] ?? "") ?? 0

    @Test("It does not tell known emails from unknown ones", .enabled(if: rounds > 0))
    func medians() throws {
        let server = try TestServer()
        let pattern = try server.account("Known")
        // An account for each login: the throttle must not be what is measured.
        try server.database.execute(
            """
            insert into users (email, name, password_hash)
            select 'known' || n || '@example.com', 'Known', p.password_hash
            from generate_series(1, \(Self.rounds)) n, users p where p.id = \(pattern.id)::uuid
            """)
        try server.database.execute("analyze users")
        func seconds(_ email: String) -> Double {
            let clock = ContinuousClock()
            let took = clock.measure {
                #expect(server.logIn(email, "not the password").status == 401)
            }
            return took / .seconds(1)
        }
        for number in 0..<20 { _ = seconds("warm\(number)@example.com") }
        var known: [Double] = []
        var unknown: [Double] = []
        for round in 1...Self.rounds {
            // Who goes first changes, so that neither gains from what the other leaves in the caches.
            if round.isMultiple(of: 2) {
                known.append(seconds("known\(round)@example.com"))
                unknown.append(seconds("wrong\(round)@example.com"))
            } else {
                unknown.append(seconds("wrong\(round)@example.com"))
                known.append(seconds("known\(round)@example.com"))
            }
        }
        let (left, right) = (median(known), median(unknown))
        print(
            "medians of \(Self.rounds) logins each: known \(left * 1000) ms, unknown \(right * 1000) ms"
        )
        #expect(abs(left / right - 1) < 0.02)
    }

    private func median(_ values: [Double]) -> Double {
        values.sorted()[values.count / 2]
    }
}
