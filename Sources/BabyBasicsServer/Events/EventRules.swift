import BabyBasicsAPI
import JSON

// What the description of a kind demands of a body.

extension Fields {
    /// The values of a kind's fields, one for each. Nil notes problems.
    /// - Parameter before: what a merge patch is applied to (RFC 7396); nil where the body is the whole event.
    func values(
        of kind: EventKind, onto before: [FieldValue]? = nil, now: Timestamp
    ) -> [FieldValue]? {
        var values = before ?? Array(repeating: .nothing, count: kind.fields.count)
        var bad: Set<Int> = []
        for (index, field) in kind.fields.enumerated() where before == nil || contains(field.name) {
            if let value = optional(field.name, .value(field.form, now: now)) {
                values[index] = value ?? .nothing
            } else {
                bad.insert(index)
            }
        }
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
                note(index, "belongs to the type \(owners) only", of: kind, &bad)
            } else if !belongs {
                values[index] = .nothing
            } else if field.isRequired, values[index] == .nothing,
                field.types == nil || type != nil, typeIsNew || contains(field.name)
            {
                note(index, "is required", of: kind, &bad)
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
            note(end, "must not be before \(startName)", of: kind, &bad)
        } else if ended.since(started) > EventKind.longest {
            // Whoever finds a forgotten one later has to say when it ended, not that it does now.
            let latest = started.adding(EventKind.longest)
            note(end, "must be at most 24 hours after \(startName), so by \(latest)", of: kind, &bad)
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
        for field in fields { note(field, "at least one of \(names) is required", of: kind, &bad) }
    }

    /// Notes a problem with what goes on and began long ago, where a child can have one such event alone: a forgotten one would stand in the
    /// way of the next.
    /// - Parameter stored: what the values take the place of; nil where the event is new.
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
        problem(kind.fields[kind.time].name, "is more than 24 hours ago: say when it ended")
            as Never?
    }

    private func note(
        _ index: Int, _ message: String, of kind: EventKind, _ bad: inout Set<Int>
    ) {
        problem(kind.fields[index].name, message) as Never?
        bad.insert(index)
    }
}

extension Rule where Value == FieldValue {
    /// A value of this form. Text without anything in it is no value.
    static func value(_ form: EventField.Form, now: Timestamp) -> Rule {
        Rule { (json) throws(Problem) in
            switch form {
            case .time: return try time(json, now: now)
            case .number(let range): return try number(json, range, form)
            case .whole(let range):
                return try number(json, Tenths(range.lowerBound)...Tenths(range.upperBound), form)
            case .choice, .line, .text: break
            }
            guard let text = json.string else { throw Problem(message: "must be a string") }
            guard let value = form.value(of: text) else {
                throw Problem(message: form.demand)
            }
            return value
        }
    }

    private static func time(_ json: JSONValue, now: Timestamp) throws(Problem) -> FieldValue {
        guard let text = json.string else { throw Problem(message: "must be a string") }
        guard let time = Timestamp(text), time >= earliest else {
            throw Problem(message: "must be a time such as 2026-02-25T12:00:00Z, since 1900")
        }
        guard time <= now.adding(EventKind.aheadAtMost) else {
            throw Problem(message: "is in the future")
        }
        return .time(time)
    }

    private static var earliest: Timestamp {
        Timestamp(microsecondsSince1970: -2_208_988_800_000_000)
    }

    private static func number(
        _ json: JSONValue, _ range: ClosedRange<Tenths>, _ form: EventField.Form
    ) throws(Problem) -> FieldValue {
        guard json.number != nil else { throw Problem(message: "must be a number") }
        guard let number = json.tenths, range.contains(number), !form.isWhole || number.isWhole else {
            throw Problem(message: form.demand)
        }
        return .number(number)
    }
}

extension EventField.Form {
    /// What a text stands for; nil where it is not as it should be.
    fileprivate func value(of text: String) -> FieldValue? {
        switch self {
        case .choice(let words): words.contains(text) ? .text(text) : nil
        case .line(let max): text.trimmed(max: max) { $0.breaksLine || $0.turnsDirection }
        case .text(let max):
            text.trimmed(max: max) { scalar in
                scalar.properties.generalCategory == .control
                    && scalar != "\n" && scalar != "\t" && scalar != "\r"
            }
        case .time, .number, .whole: nil
        }
    }

    fileprivate var isWhole: Bool { if case .whole = self { true } else { false } }

    /// As it is said to whoever sends something else.
    fileprivate var demand: String {
        switch self {
        case .choice(let words): "must be one of \(words.joined(separator: ", "))"
        case .line(let max): "must have at most \(max) characters and no control characters"
        case .text(let max):
            "must have at most \(max) characters and no control characters but line breaks and tabs"
        case .time: "must be a time"
        case .number(let range):
            "must be \(range.lowerBound) to \(range.upperBound), with one decimal at most"
        case .whole(let range):
            "must be a whole number from \(range.lowerBound) to \(range.upperBound)"
        }
    }
}

extension String {
    /// Without white space at either end; nothing where there is nothing to be seen, and nil for more code points than `max` and for those
    /// that are refused.
    fileprivate func trimmed(
        max: Int, refusing isRefused: (Unicode.Scalar) -> Bool
    ) -> FieldValue? {
        if isTrimmedASCII { return utf8.count <= max ? .text(self) : nil }
        let inner = trimmed
        guard inner.unicodeScalars.count <= max, !inner.unicodeScalars.contains(where: isRefused)
        else { return nil }
        return inner.showsSomething ? .text(inner) : .nothing
    }

    /// Whether it is as most texts are, so that nobody has to ask Unicode: printable ASCII, and no space at either end.
    private var isTrimmedASCII: Bool {
        guard let first = utf8.first, let last = utf8.last else { return false }
        return first != 0x20 && last != 0x20 && utf8.allSatisfy { (0x20...0x7e).contains($0) }
    }
}
