import BabyBasicsAPI

extension Words<ServerWord> {
    /// The catalog of a language.
    static func of(_ language: Language) -> Words { catalogs[language] ?? Words(language, [:]) }
}

private let catalogs = Dictionary(
    uniqueKeysWithValues: Language.allCases.map { language in
        let messages = zip(ServerWord.allCases, language.serverWords)
        return (language, Words(language, Dictionary(uniqueKeysWithValues: messages)))
    })
