import BabyBasicsAPI
import BabyBasicsClient
import Foundation
import Synchronization

/// A line that loses what a test says, and sees what goes over it.
final class Faults: Sendable {
    enum Fault: Sendable { case pass, loseRequest, loseAnswer }

    private let state = Mutex(State())
    private let inner: Transport

    private struct State {
        var planned: [Fault] = []
        var refusals: [(status: Int, headers: [String: String])] = []
        var isOffline = false
        var isSilent = false
        var isTerse = false
        var held = 0
        var requests: [(line: String, query: String)] = []
    }

    init(over inner: Transport) { self.inner = inner }

    /// What befalls the next requests, in order.
    func plan(_ faults: Fault...) { state.withLock { $0.planned += faults } }

    /// Answers the next requests in the server's place.
    func refuse(_ status: Int, times: Int = 1, headers: [String: String] = [:]) {
        state.withLock { $0.refusals += Array(repeating: (status, headers), count: times) }
    }

    func setOffline(_ value: Bool) { state.withLock { $0.isOffline = value } }

    /// Requests are neither answered nor lost.
    func setSilent(_ value: Bool) { state.withLock { $0.isSilent = value } }

    /// Refusals say nothing of which entry it is, as a server behind another proxy might.
    func setTerse(_ value: Bool) { state.withLock { $0.isTerse = value } }

    /// How many requests have met that silence.
    var heldRequests: Int { state.withLock { $0.held } }

    /// Every request that was tried, as `METHOD path`.
    var requests: [String] { state.withLock { $0.requests.map(\.line) } }

    var queries: [String] { state.withLock { $0.requests.map(\.query) } }

    var transport: Transport {
        Transport { [self] request, timeout in
            let (isOffline, isSilent) = state.withLock { state in
                state.requests.append(("\(request.method.rawValue) \(request.url.path)", request.url.query ?? ""))
                if state.isSilent { state.held += 1 }
                return (state.isOffline, state.isSilent)
            }
            if isOffline { throw TransportFailure(.cannotConnect, "No network") }
            if isSilent {
                while state.withLock({ $0.isSilent }) { try await Task.sleep(for: .milliseconds(5)) }
            }
            if let refusal = state.withLock({ $0.refusals.isEmpty ? nil : $0.refusals.removeFirst() }) {
                return .error(refusal.status, headers: refusal.headers)
            }
            let fault = state.withLock { $0.planned.isEmpty ? nil : $0.planned.removeFirst() }
            if fault == .loseRequest { throw TransportFailure(.connectionLost, "Lost") }
            let answer = try await inner.perform(request, timeout)
            if fault == .loseAnswer { throw TransportFailure(.connectionLost, "Lost") }
            let isTerse = state.withLock { $0.isTerse }
            return isTerse && [400, 409].contains(answer.status) ? .error(answer.status) : answer
        }
    }
}

extension HTTPAnswer {
    /// An answer with a body of JSON.
    static func json(_ status: Int, _ text: String, headers: [String: String] = [:]) -> HTTPAnswer {
        HTTPAnswer(
            status: status, headers: [("Content-Type", "application/json")] + headers.map { ($0.key, $0.value) },
            body: Data(text.utf8))
    }

    /// A refusal, as the contract has it.
    static func error(
        _ status: Int, _ message: String = "No", details: [(field: String, message: String, reason: String)] = [],
        headers: [String: String] = [:]
    ) -> HTTPAnswer {
        let code = ErrorCode.allCases.first { $0.status == status }?.rawValue ?? "GONE"
        let details = details.map {
            "{\"field\":\"\($0.field)\",\"message\":\"\($0.message)\",\"reason\":\"\($0.reason)\"}"
        }.joined(separator: ",")
        return .json(
            status, "{\"error\":{\"code\":\"\(code)\",\"message\":\"\(message)\",\"details\":[\(details)]}}",
            headers: headers)
    }
}
