import BabyBasicsAPI
import JSON
import Normalization

// Texts of one line that people read beside other words: names and labels.

extension Rule where Value == String {
    /// 1 to 100 code points after trimming white space.
    static let name = line(max: 100)

    /// An invite's label, in one form, since invites are told apart by it. Empty where it is nothing but white space.
    static let label = Rule { (value) throws(Problem) in
        if let text = value.string, text.trimmed.isEmpty { return "" }
        // Composed it may be longer, and so it is stored.
        return try line(max: 50) { $0.canonicallyComposed }.parse(value)
    }

    /// One line of 1 to `max` code points after trimming, of which at least one can be seen.
    /// - Parameter form: gives the line the form in which it is stored.
    static func line(max: Int, in form: @escaping @Sendable (String) -> String = { $0 }) -> Rule {
        Rule { (value) throws(Problem) in
            guard let text = value.string else { throw Problem.noString }
            let line = form(text.trimmed)
            let count = line.unicodeScalars.count
            guard (1...max).contains(count), !line.unicodeScalars.contains(where: \.breaksLine) else {
                throw Problem(
                    "must have 1 to \(max) characters and no control characters",
                    count < 1 ? .blank : count > max ? .tooLong : .format)
            }
            guard !line.unicodeScalars.contains(where: \.turnsDirection) else {
                throw Problem("must not override the direction of writing", .format)
            }
            guard line.showsSomething else {
                throw Problem("must have a character that can be seen", .blank)
            }
            return line
        }
    }
}

extension Fields {
    /// An invite's label: nil where it is absent or empty. The outer nil notes a problem.
    func label() -> String?? {
        optional("label", .label).map { $0?.isEmpty == true ? nil : $0 }
    }
}

extension String {
    /// Without white space at either end.
    var trimmed: String {
        let isSpace = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
        guard let first = unicodeScalars.firstIndex(where: { !isSpace($0) }),
            let last = unicodeScalars.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(unicodeScalars[first...last])
    }

    /// Whether there is anything in it that a person can see.
    var showsSomething: Bool { unicodeScalars.contains(where: \.isVisible) }
}

extension Unicode.Scalar {
    /// Control characters, and Unicode's own ends of lines and paragraphs.
    var breaksLine: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// Embeddings, overrides and isolates turn round whatever stands beside them. The marks of a single direction stay allowed.
    var turnsDirection: Bool {
        ("\u{202a}"..."\u{202e}").contains(self) || ("\u{2066}"..."\u{2069}").contains(self)
    }

    fileprivate var isVisible: Bool {
        let properties = properties
        // Braille without a dot is the one blank that Unicode takes for a symbol.
        return !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint
            && properties.generalCategory != .control && self != "\u{2800}"
    }
}
