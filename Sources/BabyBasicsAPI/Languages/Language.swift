/// What there are words in, by its tag (RFC 5646). The first is for whoever reads none of them.
public enum Language: String, CaseIterable, Hashable, Sendable {
    case en
    case de
    case es
    case fr
    case it
    case ptBR = "pt-BR"
    case nl
    case pl
    case ar
    case he

    /// A newer server may know others: those are read as the first.
    public init(tag: String) { self = Language(rawValue: tag) ?? .en }

    public var tag: String { rawValue }

    /// Whether it is written from right to left.
    public var isRightToLeft: Bool { self == .ar || self == .he }

    /// As HTML's `dir` has it.
    public var direction: String { isRightToLeft ? "rtl" : "ltr" }
}

extension Language {
    /// The first that there are words in: each range is shortened from its end until there are (RFC 4647, 3.4). A range without a region
    /// finds the language as it is spoken in one, `pt` Brazil's Portuguese.
    /// - Parameter ranges: the dearest first.
    public static func lookUp(_ ranges: [String]) -> Language? {
        for range in ranges {
            var subtags = range.lowercased().split(separator: "-", omittingEmptySubsequences: false)
            while !subtags.isEmpty {
                if let found = known(as: subtags.joined(separator: "-")) { return found }
                subtags.removeLast()
                // What only introduces the next subtag.
                if subtags.last?.count == 1 { subtags.removeLast() }
            }
        }
        return nil
    }

    private static func known(as range: String) -> Language? {
        allCases.first { $0.tag.lowercased() == range } ?? allCases.first { $0.tag.lowercased().hasPrefix("\(range)-") }
    }
}
