import BabyBasicsAPI
import JSON

// What the description of a kind demands of a body.

extension Fields {
    /// The values of a kind's fields, one for each. Nil notes problems.
    /// - Parameters:
    ///   - before: what a merge patch is applied to (RFC 7396); nil where the body is the whole event.
    ///   - time: the event's, where the body says none.
    func values(
        of kind: EventKind, onto before: [FieldValue]? = nil, at time: Timestamp? = nil, now: Timestamp
    ) -> [FieldValue]? {
        var values = before ?? Array(repeating: .nothing, count: kind.fields.count)
        var bad: Set<Int> = []
        for (index, field) in kind.fields.enumerated() where before == nil || contains(field.name) {
            if let value = optional(field.name, .value(field.form, now: now)) {
                values[index] = value ?? field.form.valueLeftOut
            } else {
                bad.insert(index)
            }
        }
        if let time, values[kind.time] == .nothing { values[kind.time] = .time(time) }
        checkTypes(of: kind, &values, &bad, isWhole: before == nil)
        checkEnd(of: kind, values, &bad, isWhole: before == nil)
        checkAtLeastOne(of: kind, values, &bad, isWhole: before == nil)
        return bad.isEmpty ? values : nil
    }

    /// Each field belongs to the event's type, and what the type needs is there.
    ///
    /// A patch that changes the type takes away what the old type alone had, unless it says something of it.
    private func checkTypes(
        of kind: EventKind, _ values: inout [FieldValue], _ bad: inout Set<Int>, isWhole: Bool
    ) {
        let typeIsBad = kind.type.map { bad.contains($0) } ?? false
        let type = typeIsBad ? nil : kind.type.flatMap { values[$0].text }
        let typeIsNew = isWhole || kind.type.map { contains(kind.fields[$0].name) } ?? false
        for (index, field) in kind.fields.enumerated() where !bad.contains(index) {
            let belongs = type.flatMap { type in field.types.map { $0.contains(type) } } ?? true
            if !belongs, values[index] != .nothing, contains(field.name) {
                let owners = field.types.map { $0.sorted().joined(separator: ", ") } ?? ""
                note(index, "belongs to the type \(owners) only", .notAllowed, of: kind, &bad)
            } else if !belongs {
                values[index] = .nothing
            } else if field.isRequired, values[index] == .nothing,
                field.types == nil || type != nil, typeIsNew || contains(field.name)
            {
                note(index, "is required", .required, of: kind, &bad)
            }
        }
    }

    /// The end is not before the start, nor too long after it.
    private func checkEnd(
        of kind: EventKind, _ values: [FieldValue], _ bad: inout Set<Int>, isWhole: Bool
    ) {
        guard let end = kind.end, !bad.contains(end), !bad.contains(kind.time),
            let ended = values[end].time, let started = values[kind.time].time
        else { return }
        let (endName, startName) = (kind.fields[end].name, kind.fields[kind.time].name)
        // A patch that leaves both alone does not fail for what older rules let in.
        guard isWhole || contains(endName) || contains(startName) else { return }
        if ended < started {
            note(end, "must not be before \(startName)", .order, of: kind, &bad)
        } else if ended.since(started) > EventKind.longest {
            // Whoever finds a forgotten one later has to say when it ended, not that it does now.
            let latest = started.adding(EventKind.longest)
            note(end, "must be at most 24 hours after \(startName), so by \(latest)", .tooLong, of: kind, &bad)
        }
    }

    /// Of some fields one at least is there. A bad value is there, and its fault is named already.
    private func checkAtLeastOne(
        of kind: EventKind, _ values: [FieldValue], _ bad: inout Set<Int>, isWhole: Bool
    ) {
        let fields = kind.atLeastOneOf
        guard !fields.isEmpty, fields.allSatisfy({ values[$0] == .nothing && !bad.contains($0) }),
            isWhole || fields.contains(where: { contains(kind.fields[$0].name) })
        else { return }
        let names = fields.map { kind.fields[$0].name }.joined(separator: ", ")
        for field in fields { note(field, "at least one of \(names) is required", .required, of: kind, &bad) }
    }

    /// Notes a problem with what goes on and began long ago, where a child can have one such event alone: a forgotten one would stand in the
    /// way of the next.
    /// - Parameter stored: the values before the change; nil for a new event.
    func requireRecentStart(
        of kind: EventKind, _ values: [FieldValue]?, insteadOf stored: [FieldValue]? = nil,
        now: Timestamp
    ) {
        guard kind.isExclusiveWhileOngoing, let end = kind.end, let values,
            values[end] == .nothing, let started = values[kind.time].time,
            now.since(started) > EventKind.longest
        else { return }
        // What has been forgotten can still be edited.
        if let stored, stored[end] == .nothing, stored[kind.time] == values[kind.time] { return }
        problem(kind.fields[kind.time].name, "is more than 24 hours ago: say when it ended", .tooOld) as Never?
    }

    private func note(
        _ index: Int, _ message: String, _ reason: ErrorBody.Detail.Reason, of kind: EventKind, _ bad: inout Set<Int>
    ) {
        problem(kind.fields[index].name, message, reason) as Never?
        bad.insert(index)
    }
}

extension Rule where Value == FieldValue {
    /// A value of this form. Text without anything in it is no value.
    static func value(_ form: EventField.Form, now: Timestamp) -> Rule {
        Rule { (json) throws(Problem) in
            switch form {
            case .time: return try time(json, now: now)
            case .number(let range): return try number(json, range)
            case .whole(let range): return try whole(json, range)
            case .flag: return try flag(json)
            case .identifier: return try identifier(json)
            case .choice(let words):
                guard let text = json.string else { throw .noString }
                guard words.contains(text) else {
                    throw Problem("must be one of \(words.joined(separator: ", "))", .notListed)
                }
                return .text(text)
            case .line(let max):
                return try text(json, max: max, "no control characters") { $0.breaksLine || $0.turnsDirection }
            case .text(let max):
                return try text(json, max: max, "no control characters but line breaks and tabs") { scalar in
                    scalar.properties.generalCategory == .control
                        && scalar != "\n" && scalar != "\t" && scalar != "\r"
                }
            }
        }
    }

    private static func time(_ json: JSONValue, now: Timestamp) throws(Problem) -> FieldValue {
        guard let text = json.string else { throw .noString }
        let demand = "must be a time such as 2026-02-25T12:00:00Z, since 1900"
        guard let time = Timestamp(text) else { throw Problem(demand, .format) }
        guard time >= earliest else { throw Problem(demand, .tooOld) }
        guard time <= now.adding(EventKind.aheadAtMost) else { throw Problem("is in the future", .inFuture) }
        return .time(time)
    }

    private static var earliest: Timestamp {
        Timestamp(microsecondsSince1970: -2_208_988_800_000_000)
    }

    private static func flag(_ json: JSONValue) throws(Problem) -> FieldValue {
        guard let flag = json.bool else { throw Problem("must be true or false", .type) }
        return .flag(flag)
    }

    /// In lower case.
    private static func identifier(_ json: JSONValue) throws(Problem) -> FieldValue {
        guard let text = json.string else { throw .noString }
        guard let id = PlanID(text) else { throw Problem("must be a UUID", .format) }
        return .text(id.description)
    }

    /// A number, rounded to one decimal, as amounts in ounces become many. The range is for what is kept.
    private static func number(_ json: JSONValue, _ range: ClosedRange<Tenths>) throws(Problem) -> FieldValue {
        guard let number = json.roundedToTenths else { throw Problem("must be a number", .type) }
        return .number(try within(range, number.value, "must be \(range.lowerBound) to \(range.upperBound)"))
    }

    private static func whole(_ json: JSONValue, _ range: ClosedRange<Int>) throws(Problem) -> FieldValue {
        let demand = "must be a whole number from \(range.lowerBound) to \(range.upperBound)"
        guard let number = json.roundedToTenths else { throw Problem("must be a number", .type) }
        guard number.isExact, number.value.isWhole else { throw Problem(demand, .format) }
        return .number(try within(Tenths(range.lowerBound)...Tenths(range.upperBound), number.value, demand))
    }

    private static func within(
        _ range: ClosedRange<Tenths>, _ number: Tenths, _ demand: String
    ) throws(Problem) -> Tenths {
        guard number >= range.lowerBound else { throw Problem(demand, .tooSmall) }
        guard number <= range.upperBound else { throw Problem(demand, .tooLarge) }
        return number
    }

    /// Text without white space at either end; nothing where there is nothing to be seen.
    /// - Parameter max: code points at most.
    private static func text(
        _ json: JSONValue, max: Int, _ demand: String, refusing isRefused: (Unicode.Scalar) -> Bool
    ) throws(Problem) -> FieldValue {
        guard let text = json.string else { throw .noString }
        let isPlain = text.isTrimmedASCII
        let inner = isPlain ? text : text.trimmed
        guard inner.unicodeScalars.count <= max else {
            throw Problem("must have at most \(max) characters and \(demand)", .tooLong)
        }
        if isPlain { return .text(text) }
        guard !inner.unicodeScalars.contains(where: isRefused) else {
            throw Problem("must have at most \(max) characters and \(demand)", .format)
        }
        return inner.showsSomething ? .text(inner) : .nothing
    }
}

extension EventField.Form {
    /// What a field has that the body says nothing of, or null.
    fileprivate var valueLeftOut: FieldValue { if case .flag = self { .flag(false) } else { .nothing } }
}

extension String {
    /// Whether it is as most texts are, so that nobody has to ask Unicode: printable ASCII, and no space at either end.
    fileprivate var isTrimmedASCII: Bool {
        guard let first = utf8.first, let last = utf8.last else { return false }
        return first != 0x20 && last != 0x20 && utf8.allSatisfy { (0x20...0x7e).contains($0) }
    }
}
