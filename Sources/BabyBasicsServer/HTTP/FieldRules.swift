import BabyBasicsAPI
import JSON

extension Rule where Value == String {
    /// Any string: what it means is for the caller to find out.
    static let anything = text("must be a string") { $0 }

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

extension Rule where Value == SessionCarrier {
    static let sessionCarrier = text("must be cookie, or absent", .notListed) { SessionCarrier(rawValue: $0) }
}

extension Rule where Value == Bool {
    static let flag = Rule { (value) throws(Problem) in
        guard let flag = value.bool else { throw Problem("must be true or false", .type) }
        return flag
    }
}

extension Rule where Value == SharingPolicy {
    static let sharingPolicy = text("must be standard or co_parent", .notListed) { SharingPolicy(rawValue: $0) }
}

extension Rule where Value == CalendarDate {
    /// From 1900 to a year from today: parents enter due dates too.
    static func dateOfBirth(today: CalendarDate) -> Rule {
        Rule { (value) throws(Problem) in
            let demand = "must be a date from 1900-01-01 to one year from now, as YYYY-MM-DD"
            guard let text = value.string else { throw Problem.noString }
            guard let date = CalendarDate(text) else { throw Problem(demand, .format) }
            guard date.components.year >= 1900 else { throw Problem(demand, .tooOld) }
            guard date <= today.adding(years: 1) else { throw Problem(demand, .inFuture) }
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
