import BabyBasicsAPI
import JSON

/// What a body can say of a plan.
struct PlanValues: Equatable {
    var name: String
    var dose: String?
    var everyHours: Int?
    var times: [String]?
    var maxPerDay: Int?
    var startsOn: CalendarDate
    var endsOn: CalendarDate?
    var notes: String?
}

extension Fields {
    /// The values of a plan. Nil notes problems.
    /// - Parameter before: what a merge patch is applied to; nil where the body is the whole plan.
    func planValues(onto before: Plan? = nil, now: Timestamp) -> PlanValues? {
        func text(_ name: String, _ before: String?, _ form: EventField.Form) -> String?? {
            changed(name, before.map(FieldValue.text), .value(form, now: now)).map { $0?.text }
        }
        func number(_ name: String, _ before: Int?, _ range: ClosedRange<Int>) -> Int?? {
            changed(name, before.map { .number(Tenths($0)) }, .value(.whole(range), now: now))
                .map { $0?.number.map { $0.tenths / 10 } }
        }
        let name = before.map { before in kept("name", .name).map { $0 ?? before.name } } ?? required("name", .name)
        let dose = text("dose", before?.dose, .line(max: 50))
        let everyHours = number("every_hours", before?.everyHours, 1...168)
        let times = changed("times", before?.times, .timesOfDay)
        let maxPerDay = number("max_per_day", before?.maxPerDay, 1...24)
        let startsOn =
            before.map { before in kept("starts_on", .planDate).map { $0 ?? before.startsOn } }
            ?? required("starts_on", .planDate)
        let endsOn = changed("ends_on", before?.endsOn, .planDate)
        let notes = text("notes", before?.notes, .text(max: 2000))
        if case .some(.some) = everyHours, case .some(.some) = times {
            problem("times", "goes without every_hours", .notAllowed) as Never?
        }
        if let startsOn, case .some(.some(let endsOn)) = endsOn, endsOn < startsOn {
            problem("ends_on", "must not be before starts_on", .order) as Never?
        }
        guard let name, let dose, let everyHours, let times, let maxPerDay, let startsOn, let endsOn, let notes
        else { return nil }
        return PlanValues(
            name: name, dose: dose, everyHours: everyHours, times: times, maxPerDay: maxPerDay, startsOn: startsOn,
            endsOn: endsOn, notes: notes)
    }

    /// A member that is taken away by null, and stays as it was where it is absent. The outer nil notes a problem.
    private func changed<Value>(_ name: String, _ before: Value?, _ rule: Rule<Value>) -> Value?? {
        contains(name) ? optional(name, rule) : .some(before)
    }
}

extension Rule where Value == [String] {
    /// 1 to 8 different times of a day, in their order.
    static let timesOfDay = Rule { (value) throws(Problem) in
        guard let elements = value.elements else { throw Problem("must be an array", .type) }
        var times: Set<String> = []
        let demand = "must have 1 to 8 different times of day such as 08:00"
        for element in elements {
            guard element.string != nil else { throw Problem(demand, .type) }
            guard let time = try? Rule<String>.timeOfDay.parse(element) else { throw Problem(demand, .format) }
            times.insert(time)
        }
        guard !elements.isEmpty else { throw Problem(demand, .tooShort) }
        guard elements.count <= 8 else { throw Problem(demand, .tooLong) }
        guard times.count == elements.count else { throw Problem(demand, .duplicate) }
        return times.sorted()
    }
}

extension Rule where Value == CalendarDate {
    /// Of the years that the dashboard shows.
    static let planDate = text("must be a date from 1900-01-01 to 2100-12-31, as YYYY-MM-DD") { text in
        CalendarDate(text).flatMap { (1900...2100).contains($0.components.year) ? $0 : nil }
    }
}
