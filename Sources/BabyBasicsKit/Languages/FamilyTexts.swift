import BabyBasicsAPI
import BabyBasicsClient

extension Texts {
    // MARK: Invites

    /// The banner above the screens that make or open an account.
    public var invited: String { say(.inviteInvited) }
    var inviteNoLongerValid: Message { Message(sentences(say(.inviteNoLongerValid), say(.inviteAskForNew))) }
    var inviteUnconfirmed: Message { Message(say(.inviteUnverified), .note) }
    var ownInvite: Message { Message(say(.inviteYourOwn), .note) }
    var inviteBusy: Message { kept(.troubleALot) }
    var serverBusyWithInvite: Message { kept(.troubleServerBusy) }
    var inviteWaits: Message { kept(.troubleOffline) }
    var noLink: Message { Message(say(.doorsNoInviteLink)) }

    private func kept(_ trouble: KitWord) -> Message { Message(sentences(say(trouble), say(.inviteKept)), .note) }

    /// An invite that this account cannot use: it is a member already, or the family has no room.
    func inviteRefused(_ failure: APIFailure) -> Message {
        let isMember = failure.details.contains { $0.reason == .duplicate }
        return Message(isMember ? say(.inviteAlreadyInFamily) : refused(failure), .note)
    }

    func otherHost(_ host: String, expected: String) -> Message {
        Message(say(.inviteOtherHost, .theirs("host", host), .theirs("own", expected)))
    }

    func joined(_ family: String) -> Message { Message(say(.noticeJoined, .theirs("family", family)), .good) }

    func share(_ family: String, link: String) -> String {
        say(.inviteMadeMessage, .theirs("family", family), .ours("link", link))
    }

    // MARK: Roles

    func roleName(_ role: MemberRole) -> String { word("role", role.rawValue) ?? newer }

    func roleMeaning(_ role: MemberRole) -> String { word("role_meaning", role.rawValue) ?? "" }

    /// For words of a later server.
    var newer: String { say(.kindNewer) }

    // MARK: Set-up

    func welcome(_ firstName: String) -> String { say(.setUpWelcome, .theirs("name", firstName)) }

    /// What the family's field is filled in with: a name, without marks that nobody sees.
    func familyName(_ firstName: String) -> String { say(.setUpFamilyOf, .ours("name", firstName)) }

    var nameMissing: Message { Message(say(.setUpFamilyName), field: "name") }
    var babyNameMissing: Message { Message(say(.setUpBabyName), field: "baby_name") }
}
