import BabyBasicsAPI
import BabyBasicsClient
import GRDB

extension Texts {
    /// Who can do what this account may not.
    enum Helper {
        case owner, parent
        /// The account's own password was wrong.
        case password

        static func inFamily(_ family: StoredFamily, userID: UserID) -> Helper {
            let isForOwner = family.sharingPolicy == .coParent && family.role == .parent
            return isForOwner && family.ownerID != userID ? .owner : .parent
        }
    }

    /// What went wrong with a request, and what to do.
    public func failure(_ error: any Error) -> Message { failure(error, helper: .parent) }

    func failure(_ error: any Error, helper: Helper) -> Message {
        switch error {
        case let failure as APIFailure: refusal(failure, helper)
        case let failure as TransportFailure where failure.reason == .untrustedServer: Message(say(.serverUntrusted))
        case is TransportFailure: Message(sentences(say(.troubleOffline), say(.thenCheckInternet)))
        case is UnreadableAnswer: Message(obstacle(.notTheServer))
        case let refusal as StoreRefusal: self.refusal(refusal)
        case is DatabaseError, is StoreOpening.TooNew: storage(error)
        default: Message(say(.troubleUnknown))
        }
    }

    private func refusal(_ failure: APIFailure, _ helper: Helper) -> Message {
        switch failure.status {
        case 400:
            if let detail = failure.details.first {
                let why = refused(detail.field, detail.reason, detail.message).capitalizedFirst
                return Message(sentences(sentence(why), say(.thenCorrectIt)), field: detail.field)
            }
            return Message(sentences(refused(failure), say(.thenCorrectIt)))
        case 401: return sessionEnded
        case 403:
            switch helper {
            case .password: return Message(say(.accountWrongPassword), field: "password")
            case .owner: return Message(sentences(refused(failure), say(.thenAskOwner)))
            case .parent: return Message(sentences(refused(failure), say(.thenAskParent)))
            }
        case 409: return Message(refused(failure))
        case 404: return Message(sentences(say(.codeNotFound), say(.thenLookAgain)))
        case 429: return Message(sentences(say(.troubleALot), say(.thenWaitAMinute)))
        case 503: return serverBusy
        default: return Message(sentences(say(.troubleServer), say(.thenWaitAMinute)))
        }
    }

    /// What the server says to people is English: elsewhere its code is told.
    func refused(_ failure: APIFailure) -> String {
        let said = language == .en ? nil : word("code", failure.code?.rawValue.lowercased() ?? "")
        return sentence(said ?? failure.message)
    }

    /// Where no screen knows of which child.
    private func refusal(_ refusal: StoreRefusal) -> Message {
        switch refusal {
        case .noSuchChild: Message(say(.codeGone))
        case .alreadyAsleep: Message(say(.reasonRunning))
        default: self.refusal(refusal, child: "", ago: "")
        }
    }
}
