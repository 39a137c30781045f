import Synchronization

/// One computation of bcrypt that somebody waits for. It is finished once: by its result, a refusal or a cancellation, whichever is first.
final class HashingJob: Sendable {
    typealias Completion = @Sendable (Result<String, any Error>) -> Void

    /// 1 to 72 bytes without NUL.
    let secret: [UInt8]
    /// Salt and cost of a hash to make, or a whole hash to compare with.
    let setting: String
    let caller: PasswordCaller
    private let state = Mutex(State.new)

    private enum State {
        case new
        case awaited(Completion)
        case finished(Result<String, any Error>)
        case delivered
    }

    init(_ secret: [UInt8], setting: String, for caller: PasswordCaller) {
        self.secret = secret
        self.setting = setting
        self.caller = caller
    }

    var isFinished: Bool {
        state.withLock { state in
            switch state {
            case .new, .awaited: false
            case .finished, .delivered: true
            }
        }
    }

    /// Calls `completion` once, at once if the job is finished already.
    func onFinish(_ completion: @escaping Completion) {
        let result: Result<String, any Error>? = state.withLock { state in
            if case .finished(let result) = state {
                state = .delivered
                return result
            }
            state = .awaited(completion)
            return nil
        }
        if let result { completion(result) }
    }

    func finish(_ result: Result<String, any Error>) {
        let completion: Completion? = state.withLock { state in
            switch state {
            case .new:
                state = .finished(result)
                return nil
            case .awaited(let completion):
                state = .delivered
                return completion
            case .finished, .delivered:
                return nil
            }
        }
        completion?(result)
    }
}
