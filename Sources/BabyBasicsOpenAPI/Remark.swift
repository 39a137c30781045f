import BabyBasicsAPI

/// What a member is beyond its Swift type: its meaning, its limits, an example.
struct Remark: Sendable {
    /// Goes over the schema of the member's type.
    var schema: JSON = [:]
    /// In a request: null is not the same as absent, and refused.
    var isNeverNull = false
    /// In an answer: left out where there is nothing.
    var mayBeAbsent = false
}

extension Remark: ExpressibleByStringLiteral {
    /// A meaning alone.
    init(stringLiteral description: String) { schema = ["description": .string(description)] }
}

extension Remark {
    init(_ description: String, example: JSON, _ schema: JSON = [:]) {
        self.schema =
            (["description": .string(description)] as JSON).merging(schema)
            .merging(["examples": [example]])
    }

    /// What can be changed and not taken away.
    var kept: Remark {
        var note = self
        note.isNeverNull = true
        return note
    }

    /// Left out of an answer where there is nothing.
    var orAbsent: Remark {
        var note = self
        note.mayBeAbsent = true
        return note
    }

    func described(_ description: String) -> Remark {
        var note = self
        note.schema["description"] = .string(description)
        return note
    }

    func defaulting(to value: JSON) -> Remark {
        var note = self
        note.schema["default"] = value
        return note
    }
}

// Limits that several requests share. The server's own rules are in BabyBasicsServer/HTTP/FieldRules.swift; that both say the same is shown
// by tests that send what these allow and what they do not.
extension Remark {
    /// Trimmed, 1 to 100 code points, without control characters.
    static func name(_ example: String) -> Remark {
        Remark(
            "1 to 100 characters after trimming, one of which at least can be seen, without control characters and what overrides the direction of writing.",
            example: .string(example), ["pattern": .string(Pattern.name(max: 100))])
    }

    static let email = Remark(
        "As HTML’s `type=email` takes it, with a dot in the domain, which may be in any script; at most 254 characters. It is kept without white space around, in lower case, the domain as A-labels (IDNA2008).",
        example: "johnny@example.com", ["format": "mailbox", "pattern": .string(Pattern.email)])
    /// Of an account that is there; whatever else is sent is no such account's.
    static let anyEmail = Remark(
        "Case and white space around do not matter.", example: "johnny@example.com")
    static let newPassword = Remark(
        "At least 8 characters of any kind, and none of the most common passwords.",
        example: "correct horse battery", ["format": "password", "minLength": 8])
    static let password = Remark(
        "The account’s own.", example: "correct horse battery", ["format": "password"])
    static let timeZone = Remark(
        "A name of the IANA time zone database that the server knows.",
        example: "America/New_York", ["format": "time-zone"])
    static let timeOfDay = Remark(
        "`HH:MM`: when this user’s day begins.", example: "07:00",
        ["pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"])
    /// One of those that there are words in.
    static let language = Remark(
        "In which the server writes to the account.", example: "de",
        ["enum": .array(Language.allCases.map { .string($0.tag) })])
    static let accessUntil: Remark =
        "When the membership ends. Of caregivers and viewers alone; in the future, and at most 366 days ahead."
    static let dateOfBirth = Remark(
        "1900-01-01 to one year from now: a due date counts.", example: "2026-03-15")
    static let clientID = Remark(
        schema: [
            "description":
                "Made by the client, so that sending again is safe: then it answers 200 with what exists. Taken by anything else: 409."
        ])
    static let revision: Remark =
        "The number that its last change has in the family; also its entity tag."
    static let count: Remark = "How many there are in this answer."
    static let nextCursor = Remark(
        "The `cursor` of the next page; null at the end.",
        example: "AAZLh0ICxAABmcOlfXp8PppRL2uKHU5w")
}

/// Regular expressions that mean the same in every dialect: no classes by name.
enum Pattern {
    /// Unicode's White_Space, of which `\s` is another selection in each dialect.
    private static let space =
        "\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000"
    private static let control = "\\u0000-\\u001f\\u007f-\\u009f"
    /// All of them but tab, line feed and carriage return.
    private static let controlInText =
        "\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f"

    /// What turns round the direction of the text beside it.
    private static let turning = "\\u202a-\\u202e\\u2066-\\u2069"
    /// Unicode's Default_Ignorable_Code_Point, as far as one code unit goes in every dialect, and braille without a dot.
    private static let unseen =
        "\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufff8"

    /// One line of 1 to `max` code points after trimming, of which one at least can be seen.
    static func name(max: Int) -> String { "^\(seen)\(trimmed(max: max, refused: inLines))$" }

    /// The same, or nothing.
    static func label(max: Int) -> String {
        "^([\(space)]*|\(seen)\(trimmed(max: max, refused: inLines)))$"
    }

    /// One line of at most `max` code points after trimming.
    static func line(max: Int) -> String {
        "^[\(space)]*(\(trimmed(max: max, refused: inLines)))?$"
    }

    /// Text of at most `max` code points after trimming, with line breaks and tabs as its only control characters.
    static func text(max: Int, orEmpty: Bool) -> String {
        let text = trimmed(max: max, refused: controlInText)
        return orEmpty ? "^[\(space)]*(\(text))?$" : "^\(seen)\(text)$"
    }

    private static let inLines = "\(control)\\u2028\\u2029\(turning)"
    private static let seen = "(?![\(space)\(unseen)]*$)"

    /// A count of its own rather than `maxLength`, which would count what is trimmed away.
    private static func trimmed(max: Int, refused: String) -> String {
        let end = "[^\(space)\(refused)]"
        return "[\(space)]*\(end)([^\(refused)]{0,\(max - 2)}\(end))?[\(space)]*"
    }

    /// Wider than what is taken: which names a domain can have in another script no pattern says.
    static let email =
        "^[\(space)]*[A-Za-z0-9.!#$%&'*+/=?^_`{|}~\\-]{1,64}@[^@\(space)\(control)]+[\(space)]*$"
}
