/// One message of a catalog, with `{name}` where something is put in.
public enum Phrase: Hashable, Sendable {
    case text(String)
    /// By the count, which stands in it as `{count}`.
    case plural([PluralCategory: String])
}

/// What is put into a message.
public struct Filling: Sendable {
    let name: String
    let text: String
    let isTheirs: Bool

    /// People's own text, in whatever script they write.
    public static func theirs(_ name: String, _ text: String) -> Filling {
        Filling(name: name, text: text, isTheirs: true)
    }

    /// What is in the message's language already, or in none.
    public static func ours(_ name: String, _ text: String) -> Filling {
        Filling(name: name, text: text, isTheirs: false)
    }
}

/// A catalog of messages in one language.
public struct Words<Id: Hashable & Sendable>: Sendable {
    public let language: Language
    private let messages: [Id: Phrase]

    public init(_ language: Language, _ messages: [Id: Phrase]) {
        self.language = language
        self.messages = messages
    }

    /// A message with everything in its places.
    public func say(_ id: Id, count: Int? = nil, _ fillings: Filling...) -> String { say(id, count: count, fillings) }

    public func say(_ id: Id, count: Int? = nil, _ fillings: [Filling]) -> String {
        var said = ""
        var rest = form(of: id, count)[...]
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            said += rest[..<start]
            said += text(for: rest[start..<end].dropFirst(), count, fillings)
            rest = rest[end...].dropFirst()
        }
        return said + rest
    }

    private func form(of id: Id, _ count: Int?) -> String {
        switch messages[id] {
        case .text(let text): text
        case .plural(let forms): forms[language.pluralCategory(of: count ?? 0)] ?? forms[.other] ?? ""
        case nil: ""
        }
    }

    private func text(for name: Substring, _ count: Int?, _ fillings: [Filling]) -> String {
        if name == "count", let count { return "\(count)" }
        guard let filling = fillings.first(where: { $0.name == name }) else { return "" }
        return filling.isTheirs ? language.isolated(filling.text) : filling.text
    }
}

extension Words where Id: CaseIterable {
    /// The catalogs of all languages, whose messages are in the order of the ids.
    public static func catalogs(_ messages: (Language) -> [Phrase]) -> [Language: Words] {
        Dictionary(
            uniqueKeysWithValues: Language.allCases.map { language in
                let messages = zip(Id.allCases, messages(language))
                return (language, Words(language, Dictionary(uniqueKeysWithValues: messages)))
            })
    }
}
