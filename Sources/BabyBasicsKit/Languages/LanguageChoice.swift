public import BabyBasicsAPI
public import Observation

/// Which language this device speaks: what the person has chosen on it, else the account's, else the first that the
/// system's owner reads and that there are words in (RFC 4647, 3.4), else English.
@MainActor @Observable public final class LanguageChoice {
    /// What the person has chosen on this device; nil for what the account says.
    public var chosen: Language? {
        didSet { configuration.preferences.set(chosen?.tag, for: PreferenceKey.language) }
    }
    private let configuration: KitConfiguration

    init(_ configuration: KitConfiguration) {
        self.configuration = configuration
        chosen = configuration.preferences.string(PreferenceKey.language).flatMap { Language(rawValue: $0) }
    }

    /// - Parameter account: the language of an account, by its tag; nil where nobody is signed in.
    func language(of account: String?) -> Language {
        chosen ?? Language.lookUp([account].compactMap { $0 } + configuration.environment.languages()) ?? .en
    }
}
