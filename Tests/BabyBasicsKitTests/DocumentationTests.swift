import Foundation
import Testing

/// What an app's developer reads.
@Suite struct DocumentationTests {
    private static let kit = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/BabyBasicsKit")

    private static func sources() throws -> [(name: String, lines: [String])] {
        let files = FileManager.default.enumerator(atPath: kit.path)?.compactMap { $0 as? String } ?? []
        return try files.filter { $0.hasSuffix(".swift") }.map {
            ($0, try String(contentsOf: kit.appending(path: $0), encoding: .utf8).components(separatedBy: "\n"))
        }
    }

    @Test func everyPublicNameHasAComment() throws {
        let sources = try Self.sources()
        #expect(sources.count > 40)
        var found = 0
        for (file, lines) in sources {
            for (index, line) in lines.enumerated() {
                let words = line.split(separator: " ").drop { $0.hasPrefix("@") }
                guard words.first == "public", words.dropFirst().first != "import" else { continue }
                found += 1
                let above = lines[..<index].last { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("@") } ?? ""
                #expect(
                    above.trimmingCharacters(in: .whitespaces).hasPrefix("///"), "\(file):\(index + 1) \(line)")
            }
        }
        #expect(found > 300)
    }

    /// Words for people stand in one catalog, where they can be read together.
    @Test func noMessageIsMadeOutsideTheCatalog() throws {
        for (file, lines) in try Self.sources() where !file.hasSuffix("Texts.swift") {
            #expect(!lines.contains { $0.contains("Message(\"") }, "\(file)")
        }
    }

    @Test func theAppOfTheReadmeHasSixtyLinesAtMostAndIsMarkedAsNotCompiled() throws {
        let readme = try String(contentsOf: Self.kit.appending(path: "README.md"), encoding: .utf8)
        let section = try #require(readme.components(separatedBy: "## An app in 60 lines").dropFirst().first)
        #expect(section.contains("**not compiled here**"))
        let code = section.components(separatedBy: "```")[1].components(separatedBy: "\n").dropFirst().dropLast()
        #expect(code.count <= 60)
    }
}
