import BabyBasicsAPI

extension Words<ServerWord> {
    /// The catalog of a language.
    static func of(_ language: Language) -> Words { all[language] ?? Words(language, [:]) }
}

private let all = Words<ServerWord>.catalogs { $0.serverWords }
