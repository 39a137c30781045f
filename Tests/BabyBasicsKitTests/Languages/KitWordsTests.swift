import BabyBasicsAPI
import Foundation
import Testing

@testable import BabyBasicsKit

/// The kit's table: what is in the files is looked at by `CatalogTests`, `test_words.py` and `words.test.mjs`.
@Suite struct KitWordsTests {
    private func forms(_ phrase: Phrase) -> [PluralCategory?: String] {
        switch phrase {
        case .text(let text): [nil: text]
        case .plural(let forms): Dictionary(uniqueKeysWithValues: forms.map { ($0, $1) })
        }
    }

    private func places(_ text: String) -> Set<String> {
        Set(text.matches(of: /\{(\w+)\}/).map { String($0.output.1) })
    }

    @Test(arguments: Language.allCases)
    func eachLanguageHasEveryWordWithTheSamePlacesAndItsForms(_ language: Language) throws {
        let (english, words) = (Language.en.kitWords, language.kitWords)
        try #require(words.count == KitWord.allCases.count && english.count == words.count)
        let needed = Set((0...200).map { language.pluralCategory(of: $0) })
        for (word, (source, phrase)) in zip(KitWord.allCases, zip(english, words)) {
            let (source, forms) = (forms(source), forms(phrase))
            let places = source.values.reduce(into: Set<String>()) { $0.formUnion(self.places($1)) }
            #expect((source[nil] == nil) == (forms[nil] == nil), "\(word.rawValue)")
            if forms[nil] == nil { #expect(needed.isSubset(of: Set(forms.keys.compactMap { $0 }))) }
            for (form, text) in forms {
                // A number that has a form of its own may be said by it.
                let free: Set<String> = [.zero, .one, .two].contains(form) ? ["count"] : []
                #expect(self.places(text).union(free) == places.union(free), "\(word.rawValue): \(text)")
            }
        }
    }

    /// Whatever comes from the wire has a word, unless a later server made it.
    @Test func whatTheContractNamesHasAWord() {
        let words = Set(KitWord.allCases.map(\.rawValue))
        for kind in EventKind.all {
            #expect(words.contains("kind.\(kind.name)"))
            for field in kind.fields { #expect(words.contains("field.\(field.name)"), "\(field.name)") }
        }
        for role in Role.allCases.map(\.rawValue) {
            #expect(words.contains("role.\(role)") && words.contains("role_meaning.\(role)"))
        }
        for what in DiaperDetails.Finding.allCases { #expect(words.contains("summary.diaper.\(what.rawValue)")) }
    }
}
