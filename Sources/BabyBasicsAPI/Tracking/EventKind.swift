/// The one description of a kind of event. Parsing, validation, SQL and JSON follow it. A class, so that to pass one on copies nothing.
public final class EventKind: Sendable {
    /// The kind's place among all, from 0: stored with each event, so that it never changes.
    public let number: Int
    /// `feeding`: the kind's `type` on the wire, and the name that a single event is answered under.
    public let name: String
    /// `feedings`: the path, the name of a list, and the database's view.
    public let plural: String
    /// What an event of the kind holds besides what every event has, in the order of the wire. `notes` is the last.
    public let fields: [EventField]
    /// Where in `fields` the time is that the event stands at on the timeline.
    public let time: Int
    /// Where in `fields` the end is; nil for what happens in a moment.
    public let end: Int?
    /// Where in `fields` the type is that other fields belong to.
    public let type: Int?
    /// Where in `fields` those are of which an event has one at least; empty where there is no such rule.
    public let atLeastOneOf: [Int]
    /// Whether a child can have one such event at most that has not ended: sleeps alone, as the server's index and statements have it.
    public let isExclusiveWhileOngoing: Bool

    /// - Parameters:
    ///   - number: the next one that no kind has had.
    ///   - time: the name of the field whose time counts, of the form `time` and required.
    ///   - end: the name of the field that holds the end, if the kind has one.
    ///   - atLeastOneOf: the names of fields that are not all left out.
    public init(
        _ number: Int, name: String, plural: String, time: String, end: String? = nil,
        isExclusiveWhileOngoing: Bool = false,
        atLeastOneOf: Set<String> = [], fields: [EventField]
    ) {
        self.number = number
        self.name = name
        self.plural = plural
        self.fields = fields + [EventField("notes", .text(max: 2000))]
        guard let index = fields.firstIndex(where: { $0.name == time && $0.form == .time }) else {
            preconditionFailure("\(name) has no time \(time)")
        }
        self.time = index
        self.end = end.flatMap { end in fields.firstIndex { $0.name == end } }
        type = fields.firstIndex { $0.name == "type" }
        self.atLeastOneOf = fields.indices.filter { atLeastOneOf.contains(fields[$0].name) }
        self.isExclusiveWhileOngoing = isExclusiveWhileOngoing
    }

    /// `a feeding`, `an activity`.
    public var one: String { name.first.map { "aeiou".contains($0) } == true ? "an \(name)" : "a \(name)" }

    /// How far ahead of the server a time may be: clocks of phones are not exact.
    public static let aheadAtMost = Duration.seconds(300)
    /// From the start of an event to its end.
    public static let longest = Duration.seconds(86_400)
}

/// One member of an event. A class, so that to look at one copies nothing: each body has all of its kind's looked at.
public final class EventField: Sendable {
    public enum Form: Hashable, Sendable {
        /// One of these words.
        case choice([String])
        /// One line of at most that many code points, without control characters.
        case line(max: Int)
        /// Text of at most that many code points. Line breaks and tabs are its only control characters.
        case text(max: Int)
        /// Not before 1900, and not more than `EventKind.aheadAtMost` after the server's now.
        case time
        /// A number that is in this range once it is rounded to one decimal.
        case number(ClosedRange<Tenths>)
        /// A number of this range, without decimals.
        case whole(ClosedRange<Int>)
        /// True or false; false where it is left out.
        case flag
        /// Of something else.
        case identifier
    }

    /// The name on the wire, and of the column.
    public let name: String
    public let form: Form
    /// Always, or with the types that it belongs to.
    public let isRequired: Bool
    /// The types that the field belongs to; nil for all.
    public let types: Set<String>?

    public init(
        _ name: String, _ form: Form, required: Bool = false, types: Set<String>? = nil
    ) {
        self.name = name
        self.form = form
        isRequired = required
        self.types = types
    }

    /// A field whose values are an enumeration's.
    public static func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ name: String, of type: Value.Type, required: Bool = false, types: Set<String>? = nil
    ) -> EventField {
        EventField(
            name, .choice(Value.allCases.map(\.rawValue)), required: required, types: types)
    }
}
