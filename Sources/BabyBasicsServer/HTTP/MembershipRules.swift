import BabyBasicsAPI

extension Rule where Value == Role {
    static let role = text("must be parent, caregiver or viewer", .notListed) { Role(rawValue: $0) }
}

extension Rule where Value == Timestamp {
    /// When a membership ends.
    static func accessUntil(now: Timestamp) -> Rule {
        Rule { (value) throws(Problem) in
            let time = try Rule.future(now: now).parse(value)
            guard time <= now.adding(.seconds(366 * 86_400)) else {
                throw Problem("must be at most 366 days ahead", .tooLarge)
            }
            return time
        }
    }

    /// When something ends, as it is shown: invites are told apart by it.
    static func future(now: Timestamp) -> Rule {
        Rule { (value) throws(Problem) in
            let time = try Rule.time.parse(value).truncatedToMilliseconds
            guard time > now else { throw Problem("must be in the future", .tooOld) }
            return time
        }
    }

    /// A time of RFC 3339, whenever that is.
    static let time = text("must be a time such as 2026-02-25T12:00:00Z") { Timestamp($0) }
}

extension Fields {
    /// `access_until` of an invite or a member: nil where it is absent or null. The outer nil notes a problem.
    /// - Parameter role: what the member is, or is to be; nil where that is at fault itself.
    func accessUntil(of role: Role?, now: Timestamp) -> Timestamp?? {
        let until = optional("access_until", .accessUntil(now: now))
        if role == .parent, case .some(.some) = until {
            return problem("access_until", "is for caregivers and viewers only", .notAllowed)
        }
        return until
    }
}
