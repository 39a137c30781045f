import BabyBasicsAPI

extension Texts {
    // MARK: The server

    var notBabyBasics: Message { Message(say(.serverNotBabyBasics)) }
    var unreachable: Message { Message(say(.serverUnreachable)) }
    var serverBusy: Message { Message(say(.serverNoTime)) }

    // MARK: The account

    var wrongCredentials: Message { Message(say(.logInWrong)) }
    var emailTaken: Message { Message(say(.logInEmailTaken), field: "email") }
    var sessionEnded: Message { Message(say(.logInSessionEnded), .note) }
    var emailMissing: Message { Message(say(.signInEnterEmail), field: "email") }
    var linkSent: Message { Message(say(.forgotLinkSent), .good) }
    var askWhoever: String { say(.forgotAskWhoever) }

    func byInvitation(isInvited: Bool) -> Message {
        Message(say(isInvited ? .doorsByInvitationInvited : .doorsByInvitationUninvited))
    }

    func mailOnItsWay(to email: String) -> Message { Message(say(.commonMailOnItsWay, .theirs("email", email)), .good) }

    func mailedEnough(again pause: Duration?) -> Message {
        let minutes = (Int(pause?.components.seconds ?? 60) + 59) / 60
        return Message(say(.commonMailedEnough, .ours("time", say(.lengthWholeMinutes, count: max(1, minutes)))), .note)
    }

    func entriesWouldBeLost(_ count: Int, rejected: Int) -> Message {
        Message(say(rejected > 0 ? .signOutRejected : .signOutUnsent, count: count))
    }

    func deletingAccount(unsent: Int) -> String {
        sentences(say(.deleteWarning), unsent == 0 ? nil : say(.waitingLost, count: unsent))
    }

    func onlyParent(of families: [String]) -> Message {
        let names = families.map { language.isolated($0) }
        return Message(say(.accountOnlyParent, .ours("families", inRow(names))))
    }

    // MARK: The store

    var unlockFirst: Message { Message(say(.storeLocked), .note) }
    var storeTooNew: Message { Message(say(.storeTooNew)) }

    /// What is wrong with the store, and what to do.
    func storage(_ error: any Error) -> Message {
        if error is StoreOpening.TooNew { return storeTooNew }
        return Message(say(StoreOpening.isDamage(error) ? .storeDamaged : .storeFails))
    }
}
