import BabyBasicsAPI
public import BabyBasicsClient
public import Foundation
public import Observation

/// The screen that asks which server to use: nothing else is sent before `GET /health` has answered there.
@MainActor @Observable public final class ServerAddress {
    /// Where the screen is.
    public enum Step: Hashable, Sendable {
        /// The person types.
        case entering
        /// The server is being asked.
        case checking
        /// It is one; this is its address.
        case found(URL)
        /// It is not, or cannot be asked.
        case failed(Problem)
    }

    /// Why an address cannot be used.
    public enum Problem: Hashable, Sendable {
        /// Something else is there.
        case notBabyBasics
        /// Nothing answers.
        case unreachable
        /// It is one, and has no time.
        case busy
    }

    /// The typed address.
    public var text = "" { didSet { if text != oldValue { step = .entering } } }
    /// Where the screen is.
    public private(set) var step = Step.entering
    private let transport: Transport
    private let texts: @MainActor () -> Texts

    /// A screen over a transport.
    /// - Parameter texts: what it says: `Account.texts`.
    public init(transport: Transport, texts: @escaping @MainActor () -> Texts) {
        self.transport = transport
        self.texts = texts
    }

    /// The message; nil for none.
    public var message: Message? {
        guard case .failed(let problem) = step else { return nil }
        return switch problem {
        case .notBabyBasics: texts().notBabyBasics
        case .unreachable: texts().unreachable
        case .busy: texts().serverBusy
        }
    }

    /// Asks for the server's health.
    public func check() async {
        guard step != .checking else { return }
        guard let url = Self.url(text) else {
            step = .failed(.notBabyBasics)
            return
        }
        step = .checking
        let client = APIClient(
            url, retries: RetryPolicy(tries: 2, timeout: .seconds(10)), transport: transport)
        do {
            let health = try await client.send(Endpoints.getHealth).body
            step =
                switch (health.service, health.status) {
                case ("baby-basics", "ok"): .found(url)
                case ("baby-basics", _): .failed(.busy)
                default: .failed(.notBabyBasics)
                }
        } catch let failure as APIFailure {
            step = .failed(failure.status == 404 ? .notBabyBasics : .busy)
        } catch let failure as TransportFailure {
            step = .failed(failure.reason == .badURL ? .notBabyBasics : .unreachable)
        } catch let answer as UnreadableAnswer {
            // Its /health says so with a body that is no error's.
            step = .failed(answer.status == 503 ? .busy : .notBabyBasics)
        } catch {
            step = .failed(.unreachable)
        }
    }

    /// The address in a typed text: with or without a scheme, with white space, a path or a slash at the end.
    nonisolated static func url(_ text: String) -> URL? {
        var text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if !text.contains("://") { text = "https://" + text }
        guard var parts = URLComponents(string: text), let host = parts.host, !host.isEmpty,
            let scheme = parts.scheme?.lowercased(), ["https", "http"].contains(scheme)
        else { return nil }
        // Plain HTTP is for this machine alone; elsewhere it is a habit of typing.
        let isLocal = ["localhost", "127.0.0.1", "[::1]", "::1"].contains(host)
        parts.scheme = scheme == "http" && isLocal ? "http" : "https"
        parts.host = host.lowercased()
        parts.path = ""
        parts.query = nil
        parts.fragment = nil
        parts.user = nil
        parts.password = nil
        return parts.url
    }
}
