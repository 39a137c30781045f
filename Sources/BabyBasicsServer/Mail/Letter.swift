import BabyBasicsAPI

/// What a mail says, once for both of its forms.
struct Letter {
    struct Link {
        let label: String
        let url: String
    }

    var subject: String
    var greeting: String
    var paragraphs: [String]
    var link: Link?
    /// What is good to know, smaller.
    var notes: [String]
}

/// What there is to write, in every language. Whose address it is nobody has proven yet, so that a name which anybody could have typed in
/// stands in no letter, but for those of whoever invites.
protocol LetterWriter: Sendable {
    /// The language's tag.
    var tag: String { get }
    func verify(url: String) -> Letter
    func reset(url: String) -> Letter
    func passwordChanged(at moment: Timestamp, server: String) -> Letter
    func emailChanged(at moment: Timestamp) -> Letter
    func invite(by inviter: String, to family: String, as role: Role, until: Timestamp, url: String) -> Letter
    func webhookOff(at moment: Timestamp, server: String) -> Letter
    func test(server: String) -> Letter
    /// Who sends it, at the foot of every letter.
    func foot(server: String, support: String?) -> [String]
}

/// The languages of mails, English first; each has a file of its own in Languages/.
enum Letters {
    static let all: [any LetterWriter] = [English()]

    /// In the language that a mail is to have, or else in English.
    static func writer(_ tag: String) -> any LetterWriter { all.first { $0.tag == tag } ?? all[0] }
}
