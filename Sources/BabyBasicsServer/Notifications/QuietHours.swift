import BabyBasicsAPI
import JSON
import Postgres

extension QuietHours {
    /// When the quiet hours of a user `u` end that a moment falls into; NULL where it falls into none. Moments count, not clocks: so it holds
    /// on the night in which clocks change.
    static func end(at moment: SQL) -> SQL {
        """
        (select max((day + (u.quiet_to::time <= u.quiet_from::time)::int + u.quiet_to::time) at time zone u.timezone)
        from (select (\(fragment: moment) at time zone u.timezone)::date + days as day from generate_series(-1, 0) days) days
        where (day + u.quiet_from::time) at time zone u.timezone <= \(fragment: moment)
            and (day + (u.quiet_to::time <= u.quiet_from::time)::int + u.quiet_to::time) at time zone u.timezone
                > \(fragment: moment))
        """
    }
}

extension Fields {
    /// `quiet` of the caller: absent stays, null takes away. The outer nil notes a problem, the next one stands for absent.
    func quietHours() -> QuietHours??? {
        guard contains("quiet") else { return .some(nil) }
        guard let isThere = optional("quiet", .isObject) else { return nil }
        guard isThere != nil else { return .some(.some(nil)) }
        guard let inner = object("quiet"), let from = inner.required("from", .timeOfDay),
            let to = inner.required("to", .timeOfDay)
        else { return nil }
        guard from != to else { return inner.problem("to", "must not be the same as from", .notAllowed) }
        return .some(.some(QuietHours(from: from, to: to)))
    }
}

extension Rule where Value == Bool {
    fileprivate static let isObject = Rule { (value) throws(Problem) in
        guard value.isObject else { throw Problem("must be an object", .type) }
        return true
    }
}
