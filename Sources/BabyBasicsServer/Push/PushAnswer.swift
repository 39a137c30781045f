import Curl

/// What a push service made of a push.
enum PushAnswer: Equatable {
    case taken
    /// It knows no such device any more.
    case deviceGone
    /// It may take it later, and not before it says.
    case later(reason: String, after: Duration?)
    /// It will not take it, whenever.
    case refused(reason: String)

    /// - Parameter isGone: whether an answer of another status than 404 and 410 says that there is no such device.
    init(_ result: OutgoingResult, isGone: (OutgoingAnswer) -> Bool = { _ in false }) {
        switch result {
        case .answered(let answer):
            switch answer.status {
            case 200..<300: self = .taken
            case 404, 410: self = .deviceGone
            case _ where isGone(answer): self = .deviceGone
            case 408, 425, 429, 500...:
                self = .later(reason: "\(answer.status)", after: answer.retryAfter.map { .seconds(min($0, 86_400)) })
            default: self = .refused(reason: "\(answer.status)")
            }
        case .failed(let reason): self = .later(reason: reason, after: nil)
        case .notMade: self = .later(reason: "not made", after: nil)
        }
    }
}

extension DueRows.Claim {
    /// When a push is tried again: soon, then ever later.
    var pushDelay: Duration { .seconds([1: 15, 2: 60, 3: 300, 4: 900][attempts] ?? 3600) }
}
