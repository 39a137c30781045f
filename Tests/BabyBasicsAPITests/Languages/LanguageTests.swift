import BabyBasicsAPI
import Foundation
import Testing

@Suite("Languages")
struct LanguageTests {
    /// `Tests/Fixtures/plurals.json`, which another test compares with what browsers do.
    private static let plurals: [String: String] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Fixtures/plurals.json")
        return (try? JSONDecoder().decode([String: String].self, from: Data(contentsOf: file))) ?? [:]
    }()

    @Test("Plural forms are CLDR's", arguments: Language.allCases)
    func plurals(_ language: Language) throws {
        let expected = try #require(Self.plurals[language.tag]).split(separator: " ").map(String.init)
        #expect(expected.count == 201)
        #expect(expected.indices.map { language.pluralCategory(of: $0).rawValue } == expected)
    }

    @Test(
        "The first that there are words in, each shortened until there are",
        arguments: [
            (["de"], Language.de), (["de-CH"], .de), (["de-Latn-CH-1996"], .de), (["DE-at"], .de), (["pt-BR"], .ptBR),
            (["pt-br"], .ptBR), (["pt"], .ptBR), (["pt-PT"], .ptBR), (["fi", "pl"], .pl),
            (["zh-Hant-TW", "ar-EG"], .ar),
            (["he-x-old"], .he), (["en-x-de", "de"], .en), (["fr", "de"], .fr),
        ])
    func lookUp(_ ranges: [String], _ expected: Language) {
        #expect(Language.lookUp(ranges) == expected)
    }

    @Test(
        "Where there are no words there is no language",
        arguments: [[], ["fi"], ["*"], ["x-de"], ["d"], ["deu"], [""], ["-"]])
    func unknown(_ ranges: [String]) {
        #expect(Language.lookUp(ranges) == nil)
    }

    @Test("What a newer server speaks is read as the first")
    func newer() {
        #expect(Language(tag: "pt-BR") == .ptBR)
        #expect(Language(tag: "tlh") == .en)
    }

    @Test(
        "Text of the other direction keeps its own; any other is left as it is",
        arguments: [
            (Language.en, "Rosa", false), (.en, "רוזה", true), (.en, "Rosa ליאור", true), (.pl, "Łucja 2", false),
            (.de, "روزا", true), (.ar, "روزا", false), (.ar, "Rosa", true), (.he, "רוזה", false), (.he, "Zoë", true),
            (.he, "2026", false), (.ar, "👶", false), (.en, "花子", false), (.he, "花子", true), (.en, "𞤀𞤣", true),
        ])
    func isolation(_ language: Language, _ text: String, _ isIsolated: Bool) {
        #expect(language.isolated(text) == (isIsolated ? "\u{2068}\(text)\u{2069}" : text))
    }
}

@Suite("Messages")
struct WordsTests {
    private enum Id { case plain, filled, counted }

    private let phrases: [Id: Phrase] = [
        .plain: .text("Hello"), .filled: .text("{name}: {thing} {name}"),
        .counted: .plural([.one: "one {thing}", .few: "few {count} {thing}", .other: "other {count} {thing}"]),
    ]

    private func words(_ language: Language) -> Words<Id> { Words(language, phrases) }

    @Test("Everything is put in its place, once")
    func filled() {
        #expect(words(.en).say(.plain) == "Hello")
        let said = words(.en).say(.filled, .theirs("name", "{thing}"), .ours("thing", "{count}"))
        #expect(said == "{thing}: {count} {thing}", "what people write is no place for anything")
        #expect(words(.en).say(.filled, .theirs("name", "}{"), .ours("thing", "")) == "}{:  }{")
    }

    @Test("Other people's text is isolated, what is the message's own is not")
    func isolated() {
        let said = words(.he).say(.filled, .theirs("name", "Rosa"), .ours("thing", "Webhook"))
        #expect(said == "\u{2068}Rosa\u{2069}: Webhook \u{2068}Rosa\u{2069}")
    }

    @Test("The count chooses the form, or the other where a language has none of its own")
    func counted() {
        #expect(
            [1, 3, 5].map { words(.pl).say(.counted, count: $0, .ours("thing", "x")) } == [
                "one x", "few 3 x", "other 5 x",
            ])
        #expect(words(.en).say(.counted, count: 3, .ours("thing", "x")) == "other 3 x")
    }
}
