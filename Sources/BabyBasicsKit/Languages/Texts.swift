public import BabyBasicsAPI
public import Foundation

/// Every text of the kit, in one language and with a device's units, by a person's clocks. Each problem says what to do
/// next. The words are those of the catalogs in `deploy/www/app/words`; `KitWords.swift` is printed from them.
public struct Texts: Sendable {
    /// What it speaks.
    public let language: Language
    let units: Units
    let zone: TimeZone
    private let region: Locale
    private let words: Words<KitWord>

    /// - Parameters:
    ///   - region: how the device writes numbers, dates and times; in another language, as its region does.
    ///   - units: those that amounts are told in.
    ///   - zone: where times of day are told.
    public init(_ language: Language, region: Locale = .current, units: Units = Units(), zone: TimeZone = .gmt) {
        self.language = language
        self.units = units
        self.zone = zone
        self.region = region
        words = catalogs[language] ?? Words(language, [:])
    }

    /// How dates and times are written.
    var locale: Locale { language.locale(like: region) }

    /// How numbers and lists are written. Where nobody knows the language in a region they would be nobody's.
    private var known: Locale {
        let locale = locale
        let name = [locale.language.languageCode?.identifier, locale.region?.identifier].compactMap { $0 }
        return knownLocales.contains(name.joined(separator: "_"))
            ? locale : language.locale(like: Locale(identifier: language.tag))
    }

    func say(_ id: KitWord, count: Int? = nil, _ fillings: Filling...) -> String {
        words.say(id, count: count, fillings)
    }

    /// A word of the wire; nil for one of a later server.
    func word(_ group: String, _ name: String) -> String? { KitWord(rawValue: "\(group).\(name)").map { say($0) } }

    /// Without zeros that say nothing.
    func number(_ value: Double, digits: ClosedRange<Int> = 0...1) -> String {
        value.formatted(.number.locale(known).grouping(.never).precision(.fractionLength(digits)))
    }

    /// `08:00, 14:00 and 20:00`.
    func listed(_ words: [String]) -> String {
        // British where English: without a comma before "and".
        words.formatted(.list(type: .and).locale(language == .en ? Locale(identifier: "en_GB") : known))
    }

    /// What stands side by side: `3 naps, 1 bottle`.
    func inRow(_ words: [String?]) -> String { words.compactMap { $0 }.joined(separator: say(.commonSeparator)) }

    /// Words that may be a sentence already.
    func sentence(_ text: String) -> String { text.last.map { ".!?".contains($0) } ?? true ? text : "\(text)." }

    /// One after the other, those that there are.
    func sentences(_ all: String?...) -> String { all.compactMap { $0 }.joined(separator: " ") }
}

private let knownLocales = Set(Locale.availableIdentifiers)
private let catalogs = Words<KitWord>.catalogs { $0.kitWords }

extension Language {
    /// As a region writes its own language, so far as it is this one. Digits are Latin everywhere.
    fileprivate func locale(like region: Locale) -> Locale {
        var parts = Locale.Components(locale: region)
        let own = Locale.Language.Components(identifier: tag)
        if parts.languageComponents.languageCode != own.languageCode {
            let place = parts.languageComponents.region
            parts.languageComponents = own
            parts.languageComponents.region = place ?? own.region
        }
        let locale = Locale(components: parts)
        guard locale.numberingSystem.identifier != "latn" else { return locale }
        parts.numberingSystem = Locale.NumberingSystem("latn")
        return Locale(components: parts)
    }
}

extension String {
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
