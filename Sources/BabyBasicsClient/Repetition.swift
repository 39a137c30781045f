import BabyBasicsAPI

/// One request and the tries that it takes.
///
/// A request is sent again after
/// - a refusal that says nothing was done (429, no connection): any;
/// - a failure that leaves open whether it was done (502, 503, 504, a lost connection, a timeout): one whose second coming
///   changes nothing, that is `GET`; `PUT` and a `DELETE` without a body, unless `If-Match` makes the second one fail on what the
///   first did; `POST` if the client made the identifiers of all it makes. Never `PATCH`, never any other `POST`.
///
/// Everything else is the answer.
struct Repetition {
    private let isRepeatable: Bool
    private let isDeletion: Bool
    private let policy: RetryPolicy

    init(of endpoint: EndpointDescription, body: Any, isConditional: Bool, policy: RetryPolicy) {
        self.policy = policy
        isDeletion = endpoint.method == .delete
        isRepeatable =
            switch endpoint.method {
            case .get: true
            case .put: !isConditional
            // A body is a password, of an account that the first request may have ended.
            case .delete: !isConditional && !endpoint.takesBody
            case .post: (body as? any ClientIdentified)?.isIdentified == true
            case .patch: false
            }
    }

    /// The answer that ended the matter well.
    /// - Throws: the last failure.
    func run(_ request: HTTPRequest, over transport: Transport) async throws -> HTTPAnswer {
        let start = policy.environment.uptime()
        var mayBeDone = false
        var tries = 0
        while true {
            try Task.checkCancellation()
            let error: any Error
            let verdict: Verdict
            do {
                let answer = try await transport.perform(request, policy.timeout)
                if (200..<300).contains(answer.status) { return answer }
                // Gone is what was asked for; that an earlier try did it is not known to us alone.
                if isDeletion, mayBeDone, answer.status == 404 { return answer }
                error = failure(of: answer, now: policy.environment.date())
                verdict = Verdict(status: answer.status)
            } catch let failure as TransportFailure {
                error = failure
                verdict = Verdict(failure.reason)
            }
            tries += 1
            guard verdict == .notDone || verdict == .mayBeDone && isRepeatable,
                tries < policy.tries
            else { throw error }
            mayBeDone = mayBeDone || verdict == .mayBeDone
            let pause = policy.pause(after: tries, asked: (error as? APIFailure)?.retryAfter)
            guard policy.environment.uptime() - start + pause <= policy.totalTime else {
                throw error
            }
            policy.onPause?(pause, error)
            try await policy.environment.sleep(pause)
        }
    }
}

/// What a failure says of the request.
private enum Verdict {
    /// It was not even begun.
    case notDone
    case mayBeDone
    /// Another try would end the same way.
    case final

    init(status: Int) {
        self =
            switch status {
            case 429: .notDone
            case 502, 503, 504: .mayBeDone
            default: .final
            }
    }

    init(_ reason: TransportFailure.Reason) {
        self =
            switch reason {
            case .cannotConnect: .notDone
            case .timedOut, .connectionLost, .other: .mayBeDone
            case .untrustedServer, .badURL: .final
            }
    }
}
