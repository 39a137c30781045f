public import BabyBasicsAPI
import Foundation

// The web app has the same rules for words: both are held to the cases of Tests/Fixtures/search.

/// A search of what people wrote: remarks, notes, food, names and doses of medicines, activities; also by kind and author.
public struct EntrySearch: Hashable, Sendable {
    /// As they were typed: all of them are parts of what was written, whatever its accents and capitals.
    public var words: String
    /// The kinds by their wire names; nil for all.
    public var kinds: Set<String>?
    /// Who logged it; nil for anybody.
    public var person: UserID?

    /// A search; everything that is absent is not looked at.
    public init(_ words: String = "", kinds: Set<String>? = nil, person: UserID? = nil) {
        self.words = words
        self.kinds = kinds
        self.person = person
    }

    /// Whether it finds an entry.
    public func finds(_ entry: StoredEntry) -> Bool {
        !found(in: [Written(id: entry.id, kind: entry.kind, person: entry.author.userId) { entry.fields[$0]?.text }])
            .isEmpty
    }

    /// What somebody wrote in an entry, ready to be searched.
    struct Written: Hashable, Sendable {
        var id: UUID
        var kind: String
        var person: UserID?
        /// Folded; empty where nobody wrote anything.
        var text: String

        /// - Parameter field: the text of a field of the entry. Words chosen from a list are not searched.
        init(id: UUID, kind: String, person: UserID?, field: (String) throws -> String?) rethrows {
            self.id = id
            self.kind = kind
            self.person = person
            text = try EntrySearch.fold(
                (EntrySearch.textFields[kind] ?? []).compactMap { try field($0) }.joined(separator: "\n"))
        }
    }

    /// The ids of those that it finds, in their order.
    func found(in all: [Written]) -> [UUID] {
        let words = Self.fold(words).split(whereSeparator: \.isWhitespace).map { Array($0.utf8) }
        return all.filter { written in
            (kinds?.contains(written.kind) ?? true) && (person.map { $0 == written.person } ?? true)
                && words.allSatisfy { written.text.utf8.contains($0) }
        }.map(\.id)
    }

    /// Without accents and capitals: creme finds Crème.
    static func fold(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        let marks: Set<Unicode.GeneralCategory> = [.nonspacingMark, .spacingMark, .enclosingMark]
        var letters = String.UnicodeScalarView()
        for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars
        where !marks.contains(scalar.properties.generalCategory) {
            letters.append(scalar)
        }
        return String(letters).lowercased()
    }

    /// The fields of each kind that people write, in their order.
    static let textFields: [String: [String]] = Dictionary(
        uniqueKeysWithValues: EventKind.all.map { kind in
            let names = kind.fields.compactMap { field -> String? in
                switch field.form {
                case .text, .line: field.name
                default: nil
                }
            }
            return (kind.name, names)
        })
}
