import BabyBasicsAPI

struct English: LetterWriter {
    let tag = "en"

    func verify(url: String) -> Letter {
        Letter(
            subject: "Is this your email address?", greeting: "Hello,",
            paragraphs: [
                "Please tell us that this address is yours. Then you can get back in if you ever forget your password."
            ],
            link: .init(label: "Yes, this is my address", url: url),
            notes: [
                "The link works once, for 24 hours.",
                "If you don’t know Baby Basics, somebody has mistyped an address. You need do nothing.",
            ])
    }

    func reset(url: String) -> Letter {
        Letter(
            subject: "Choose a new password", greeting: "Hello,",
            paragraphs: [
                "Somebody asked for a new password for your Baby Basics account. If it was you, choose it here."
            ],
            link: .init(label: "Choose a new password", url: url),
            notes: [
                "The link works once, for 60 minutes.",
                "If it wasn’t you, you need do nothing: your password stays as it is.",
            ])
    }

    func passwordChanged(at moment: Timestamp, server: String) -> Letter {
        Letter(
            subject: "Your password was changed", greeting: "Hello,",
            paragraphs: ["The password of your Baby Basics account was changed on \(text(moment))."],
            link: .init(label: "Open Baby Basics", url: server),
            notes: ["If it wasn’t you, choose “Forgot your password?” there, now."])
    }

    func emailChanged(at moment: Timestamp) -> Letter {
        Letter(
            subject: "Your email address was changed", greeting: "Hello,",
            paragraphs: [
                "On \(text(moment)) your Baby Basics account was given another email address. You sign in with that one now, and this is the last mail to the old one."
            ],
            notes: ["If it wasn’t you, tell whoever runs this server."])
    }

    func invite(by inviter: String, to family: String, as role: Role, until: Timestamp, url: String) -> Letter {
        Letter(
            subject: "\(inviter) invites you to \(family)", greeting: "Hello,",
            paragraphs: [
                "\(inviter) would like to share the care of a little one with you: feeds, sleep and diapers, in one place. You would join “\(family)” as \(self.text(role))."
            ],
            link: .init(label: "See the invitation", url: url),
            notes: [
                "It is open until \(text(until)), and for this address alone.",
                "If you don’t know \(inviter), you need do nothing.",
            ])
    }

    func webhookOff(at moment: Timestamp, server: String) -> Letter {
        Letter(
            subject: "A webhook was turned off", greeting: "Hello,",
            paragraphs: [
                "One of your family’s webhooks had not answered for a day, and was turned off on \(text(moment)). The program behind it is no longer told what you log."
            ],
            link: .init(label: "Open Baby Basics", url: server),
            notes: ["There you can see why, and turn it on again. Everything you logged is safe."])
    }

    func test(server: String) -> Letter {
        Letter(
            subject: "Baby Basics can send mail", greeting: "Hello,",
            paragraphs: ["This is a test. The server at \(server) reaches you."], notes: [])
    }

    func foot(server: String, support: String?) -> [String] {
        ["Sent by Baby Basics at \(server)"] + (support.map { ["Questions? \($0)"] } ?? [])
    }

    private func text(_ role: Role) -> String {
        switch role {
        case .parent: "a parent"
        case .caregiver: "a caregiver"
        case .viewer: "a viewer"
        }
    }

    /// Whose clock a mail is read by nobody knows.
    private func text(_ moment: Timestamp) -> String {
        let (year, month, day) = moment.utcDate.components
        let minutes = Int(moment.microsecondsSince1970 / 60_000_000 % 1440)
        let time = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
        return "\(Self.months[month - 1]) \(day), \(year) at \(time) UTC"
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
}
