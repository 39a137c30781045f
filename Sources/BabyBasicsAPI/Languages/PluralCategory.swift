/// Which form of a message goes with a number (CLDR).
public enum PluralCategory: String, CaseIterable, Hashable, Sendable {
    case zero
    case one
    case two
    case few
    case many
    case other
}

extension Language {
    /// Of a whole number, not negative. CLDR's form for millions in Spanish, French, Italian and Portuguese is left out: nobody has so many.
    public func pluralCategory(of count: Int) -> PluralCategory {
        switch self {
        case .en, .de, .es, .it, .nl: count == 1 ? .one : .other
        case .fr, .ptBR: count <= 1 ? .one : .other
        case .he: [1: .one, 2: .two][count] ?? .other
        case .pl: Self.polish(count)
        case .ar: [0: .zero, 1: .one, 2: .two][count] ?? Self.arabic(count % 100)
        }
    }

    private static func polish(_ count: Int) -> PluralCategory {
        if count == 1 { return .one }
        return (2...4).contains(count % 10) && !(12...14).contains(count % 100) ? .few : .many
    }

    private static func arabic(_ rest: Int) -> PluralCategory {
        switch rest {
        case 3...10: .few
        case 11...99: .many
        default: .other
        }
    }
}
