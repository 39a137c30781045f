import BabyBasicsAPI

/// What there is to write, in one language. Whose address it is nobody has proven yet, so that a name which anybody could have typed in
/// stands in no letter, but for those of whoever invites.
struct Letters {
    private let words: Words<ServerWord>

    init(_ language: Language) { words = .of(language) }

    func verify(url: String) -> Letter {
        letter(
            .mailsVerifySubject, .mailsVerifyText, (.mailsVerifyLink, url), [.mailsVerifyOnce, .mailsVerifyUnknown])
    }

    func reset(url: String) -> Letter {
        letter(.mailsResetSubject, .mailsResetText, (.mailsResetLink, url), [.mailsResetOnce, .mailsResetNotYou])
    }

    func passwordChanged(at moment: Timestamp, server: String) -> Letter {
        letter(
            .mailsPasswordChangedSubject, .mailsPasswordChangedText, (.mailsOpen, server),
            [.mailsPasswordChangedNotYou], .ours("moment", text(moment)))
    }

    func emailChanged(at moment: Timestamp) -> Letter {
        letter(
            .mailsEmailChangedSubject, .mailsEmailChangedText, nil, [.mailsEmailChangedNotYou],
            .ours("moment", text(moment)))
    }

    func invite(by inviter: String, to family: String, as role: Role, until: Timestamp, url: String) -> Letter {
        let text: ServerWord =
            switch role {
            case .parent: .mailsInviteTextParent
            case .caregiver: .mailsInviteTextCaregiver
            case .viewer: .mailsInviteTextViewer
            }
        return letter(
            .mailsInviteSubject, text, (.mailsInviteLink, url), [.mailsInviteUntil, .mailsInviteUnknown],
            .theirs("inviter", inviter), .theirs("family", family), .ours("moment", self.text(until)))
    }

    func webhookOff(at moment: Timestamp, server: String) -> Letter {
        letter(
            .mailsWebhookOffSubject, .mailsWebhookOffText, (.mailsOpen, server), [.mailsWebhookOffNote],
            .ours("moment", text(moment)))
    }

    func test(server: String) -> Letter {
        letter(.mailsTestSubject, .mailsTestText, nil, [], .ours("server", server))
    }

    /// Who sends it, at the foot of every letter.
    func foot(server: String, support: String?) -> [String] {
        [words.say(.mailsFootSent, .ours("server", server))]
            + (support.map { [words.say(.mailsFootSupport, .theirs("support", $0))] } ?? [])
    }

    private func letter(
        _ subject: ServerWord, _ text: ServerWord, _ link: (label: ServerWord, url: String)?, _ notes: [ServerWord],
        _ fillings: Filling...
    ) -> Letter {
        Letter(
            subject: words.say(subject, fillings), greeting: words.say(.mailsGreeting),
            paragraphs: [words.say(text, fillings)],
            link: link.map { Letter.Link(label: words.say($0.label), url: $0.url) },
            notes: notes.map { words.say($0, fillings) })
    }

    /// Whose clock a mail is read by nobody knows.
    private func text(_ moment: Timestamp) -> String {
        let (year, month, day) = moment.utcDate.components
        let minutes = Int(moment.microsecondsSince1970 / 60_000_000 % 1440)
        let time = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
        return words.say(
            .mailsMoment, .ours("day", "\(day)"), .ours("month", words.say(Self.months[month - 1])),
            .ours("year", "\(year)"), .ours("time", time))
    }

    private static let months: [ServerWord] = [
        .mailsMonthJanuary, .mailsMonthFebruary, .mailsMonthMarch, .mailsMonthApril, .mailsMonthMay, .mailsMonthJune,
        .mailsMonthJuly, .mailsMonthAugust, .mailsMonthSeptember, .mailsMonthOctober, .mailsMonthNovember,
        .mailsMonthDecember,
    ]
}
