import BabyBasicsAPI
import Foundation
import Testing

@testable import BabyBasicsServer

@Suite("The catalogs of mails, notices and the phone")
struct CatalogTests {
    private static let sections = ["kit", "mails", "notices"]
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../deploy/www/app/words")

    /// As the file has it.
    private static func catalog(_ tag: String) throws -> [String: JSON] {
        let json = try JSON(Array(Data(contentsOf: folder.appending(path: "\(tag).json"))))
        let messages = sections.flatMap { section in json[section].keys.map { ("\(section).\($0)", json[section][$0]) }
        }
        return Dictionary(uniqueKeysWithValues: messages)
    }

    private func forms(_ message: JSON) -> [String: String] {
        if let text = message.string { return ["": text] }
        return Dictionary(uniqueKeysWithValues: message.keys.map { ($0, message[$0].string ?? "") })
    }

    private func places(_ text: String) -> Set<String> {
        Set(text.matches(of: /\{(\w+)\}/).map { String($0.output.1) })
    }

    @Test("There is a file for each language, and no other")
    func files() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).filter {
            $0.hasSuffix(".json")
        }
        #expect(Set(files) == Set(Language.allCases.map { "\($0.tag).json" }))
    }

    @Test("The server says what the file says: deploy/words", arguments: Language.allCases)
    func printed(_ language: Language) throws {
        let catalog = try Self.catalog(language.tag)
        #expect(Set(catalog.keys.filter { !$0.hasPrefix("kit.") }) == Set(ServerWord.allCases.map(\.rawValue)))
        #expect(language.serverWords.count == ServerWord.allCases.count)
        for (word, phrase) in zip(ServerWord.allCases, language.serverWords) {
            let written = forms(catalog[word.rawValue] ?? .null)
            switch phrase {
            case .text(let text): #expect(written == ["": text])
            case .plural(let forms):
                #expect(written == Dictionary(uniqueKeysWithValues: forms.map { ($0.key.rawValue, $0.value) }))
            }
        }
    }

    @Test(
        "Each language has every message, with the same places and the plural forms that it has",
        arguments: Language.allCases)
    func complete(_ language: Language) throws {
        let (source, catalog) = (try Self.catalog("en"), try Self.catalog(language.tag))
        #expect(Set(catalog.keys) == Set(source.keys))
        let needed = Set((0...200).map { language.pluralCategory(of: $0).rawValue }).union(["other"])
        for (name, message) in source {
            let forms = forms(catalog[name] ?? .null)
            #expect(name.wholeMatch(of: /[a-z]+(\.[a-z]+(_[a-z]+)*)+/) != nil)
            let places = self.forms(message).values.reduce(into: Set<String>()) { $0.formUnion(self.places($1)) }
            #expect(Set(forms.keys) == (message.string == nil ? needed : [""]), "\(name)")
            for (form, text) in forms {
                #expect(!text.isEmpty && text == text.trimmingCharacters(in: .whitespacesAndNewlines), "\(name)")
                // A number that has a form of its own may be said by it.
                let isSaid = ["zero", "one", "two"].contains(form)
                #expect(
                    self.places(text).union(isSaid ? ["count"] : []) == places.union(isSaid ? ["count"] : []), "\(name)"
                )
                #expect(text.count { $0 == "{" } == text.count { $0 == "}" }, "\(name)")
            }
        }
    }

    @Test("Nothing is left in English but what is the same word there", arguments: Language.allCases.dropFirst())
    func translated(_ language: Language) throws {
        let (source, catalog) = (try Self.catalog("en"), try Self.catalog(language.tag))
        // Numbers, names, units, and months.
        let same = source.keys.filter { catalog[$0] == source[$0] }.filter {
            $0.wholeMatch(
                of:
                    /kit\.push\.in_half_an_hour|notices\.(list|length|number|thing\.medication_(named|dose)).*|mails\.month\..*/
            ) == nil
        }
        #expect(same == [])
    }

    @Test("Quotes are the language's, and no mark is hidden but French spaces", arguments: Language.allCases)
    func typography(_ language: Language) throws {
        let quotes: [Language: String] = [
            .en: "“”’", .de: "„“", .es: "«»", .fr: "«»’", .it: "«»’", .ptBR: "“”", .nl: "“”", .pl: "„”", .ar: "«»",
            .he: "״׳",
        ]
        let allowed = quotes[language, default: ""] + (language == .fr ? "\u{a0}\u{202f}" : "")
        for (name, message) in try Self.catalog(language.tag) {
            for text in forms(message).values {
                let odd = text.unicodeScalars.filter {
                    let isQuote = "\"'`“”‘’„«»״׳".unicodeScalars.contains($0)
                    let isHidden =
                        $0.properties.generalCategory == .format || "\u{a0}\u{202f}".unicodeScalars.contains($0)
                    return (isQuote || isHidden) && !allowed.unicodeScalars.contains($0)
                }
                #expect(odd.isEmpty, "\(name): \(text)")
            }
        }
    }

    @Test("Each kind of event has words of its own")
    func kinds() {
        let typed = ["feeding": "bottle"]
        for kind in EventKind.all {
            #expect(ServerWord(rawValue: "notices.thing.\(typed[kind.name] ?? kind.name)") != nil, "\(kind.name)")
        }
    }
}
