import BabyBasicsAPI
import Synchronization

/// Signed tokens by which push services know us, each used for a while. Any thread may ask.
final class PushTokens: Sendable {
    private struct Token {
        let text: String
        let madeAt: Timestamp
    }

    private let tokens = Mutex<[String: Token]>([:])

    /// - Parameters:
    ///   - name: whom it is for.
    ///   - lifetime: how long it is used.
    func token(_ name: String, lifetime: Duration, at now: Timestamp, _ make: () throws -> String) rethrows -> String {
        try tokens.withLock { tokens in
            if let token = tokens[name], now < token.madeAt.adding(lifetime), now >= token.madeAt { return token.text }
            let token = Token(text: try make(), madeAt: now)
            // Nobody has so many push services; a wildcard has any number of hosts.
            if tokens.count >= 200 { tokens.removeAll() }
            tokens[name] = token
            return token.text
        }
    }

    /// Has the next one made anew.
    func forget(_ name: String) { tokens.withLock { $0[name] = nil } }
}
