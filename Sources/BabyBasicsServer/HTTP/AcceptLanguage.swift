import BabyBasicsAPI
import FastCGI

extension RequestContext {
    /// What the request's `Accept-Language` asks for, if there are words in any of it.
    var acceptedLanguage: Language? {
        request["HTTP_ACCEPT_LANGUAGE"].flatMap(AcceptLanguage.ranges).flatMap(Language.lookUp)
    }
}

/// The header (RFC 9110, 12.5.4).
enum AcceptLanguage {
    /// The ranges that it has, the dearest first. Nil of one that is not written as it should be: it counts as none.
    static func ranges(_ header: String) -> [String]? {
        var found: [(range: String, weight: Double)] = []
        for element in header.split(separator: ",") {
            // Lists may have empty elements (5.6.1).
            let element = element.trimmingPrefix(/[ \t]*/)
            guard !element.isEmpty else { continue }
            guard let match = element.wholeMatch(of: pattern) else { return nil }
            let weight = match.output.2.flatMap { Double($0) } ?? 1
            if weight > 0 { found.append((String(match.output.1), weight)) }
        }
        // As written, where two are as dear: the order of equals is kept.
        return found.enumerated()
            .sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }.map(\.element.range)
    }

    private static var pattern: Regex<(Substring, Substring, Substring?)> {
        /([A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*|\*)(?:[ \t]*;[ \t]*[qQ]=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?))?[ \t]*/
    }
}

extension Rule where Value == Language {
    /// One of those that the server says it has.
    static let language = text("must be one of \(Language.allCases.map(\.tag).joined(separator: ", "))", .notListed) {
        Language(rawValue: $0)
    }
}
