import BabyBasicsAPI

extension Rule where Value == String {
    /// 1 to 100 code points after trimming white space.
    static let name = text(max: 100)

    /// Trimmed text of 1 to `max` code points without control characters.
    static func text(max: Int) -> Rule {
        .text("must have 1 to \(max) characters and no control characters") { text in
            let scalars = Array(text.unicodeScalars)
            guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
                let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
            else { return nil }
            let trimmed = scalars[first...last]
            guard trimmed.count <= max,
                !trimmed.contains(where: { $0.properties.generalCategory == .control })
            else { return nil }
            var result = String.UnicodeScalarView()
            result.append(contentsOf: trimmed)
            return String(result)
        }
    }

    /// Any string: what it means is for the caller to find out.
    static let anything = text("must be a string") { $0 }

    /// A mailbox as HTML's `type=email` takes it, with a dot in the domain; lower case.
    static let email = text("must be an email address") { text in
        // Some letters become ASCII in lower case, such as the sign of the kelvin: a mailbox that nobody wrote.
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let email = text.lowercased()
        let label = /[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?/
        guard email.utf8.count <= 254, let at = email.lastIndex(of: "@"),
            email[..<at].utf8.count <= 64,
            email[..<at].wholeMatch(of: /[a-z0-9.!#$%&'*+\/=?^_`{|}~-]+/) != nil
        else { return nil }
        let labels = email[email.index(after: at)...].split(
            separator: ".", omittingEmptySubsequences: false)
        guard labels.count >= 2, labels.allSatisfy({ $0.wholeMatch(of: label) != nil }) else {
            return nil
        }
        return email
    }

    /// A password to be: at least 8 code points of any kind, and not what everybody guesses first.
    static let password = Rule { (value) throws(Problem) in
        let password = try longEnough.parse(value)
        guard !CommonPasswords.contains(password) else {
            throw Problem(message: "is one of the most common passwords; choose another")
        }
        return password
    }

    private static let longEnough = text("must have at least 8 characters") { text in
        text.unicodeScalars.count >= 8 ? text : nil
    }

    /// `HH:MM` of a day of 24 hours.
    static let timeOfDay = text("must be a time of day such as 07:00") { text in
        text.wholeMatch(of: /([01][0-9]|2[0-3]):[0-5][0-9]/) != nil ? text : nil
    }

    /// The form of an IANA time zone's name; `TimeZoneNames` knows which exist.
    static let timeZone = text("must be an IANA time zone such as America/New_York") { text in
        text.utf8.count <= 64
            && text.wholeMatch(of: /[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*/) != nil
            ? text : nil
    }
}

extension Rule where Value == Role {
    static let role = text("must be parent, caregiver or viewer") { Role(rawValue: $0) }
}

extension Rule where Value == SharingPolicy {
    static let sharingPolicy = text("must be standard or co_parent") { SharingPolicy(rawValue: $0) }
}

extension Rule where Value == CalendarDate {
    /// From 1900 to a year from today: parents enter due dates too.
    static func dateOfBirth(today: CalendarDate) -> Rule {
        .text("must be a date from 1900-01-01 to one year from now, as YYYY-MM-DD") { text in
            guard let date = CalendarDate(text), let first = CalendarDate("1900-01-01"),
                date >= first, date <= today.adding(years: 1)
            else { return nil }
            return date
        }
    }
}

extension Rule {
    /// A UUID of either case.
    static func identifier<Entity>() -> Rule where Value == Identifier<Entity> {
        .text("must be a UUID") { Identifier($0) }
    }
}
