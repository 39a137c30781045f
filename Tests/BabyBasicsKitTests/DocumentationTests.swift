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
        for (file, lines) in try Self.sources() where !file.hasSuffix("KitWords.swift") {
            #expect(!lines.contains { $0.contains("Message(\"") }, "\(file)")
            guard file.hasSuffix("Texts.swift") else { continue }
            let code = lines.filter { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("//") }
            let literals = code.flatMap { $0.matches(of: /"((?:[^"\\]|\\.)*)"/).map(\.output.1) }
            #expect(!literals.contains { $0.contains(/\p{L} \p{L}/) }, "\(file)")
        }
    }

    /// An app that takes the kit without the trait `Server` fetches GRDB and nothing else.
    @Test func whatTheServerNeedsIsBehindATrait() throws {
        let root = Self.kit.deletingLastPathComponent().deletingLastPathComponent()
        let manifest = try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
        let products = manifest.matches(of: /\.product\(\s*name: "(\w+)", package: "([\w.-]+)"(, condition: server)?\)/)
        #expect(products.count >= 8)
        for product in products { #expect((product.2 == "GRDB.swift") == (product.3 == nil), "\(product.1)") }
    }

    @Test func theAppOfTheReadmeHasSixtyLinesAtMost() throws {
        #expect(try Self.sample().components(separatedBy: "\n").count <= 60)
    }

    private static func sample() throws -> String {
        let readme = try String(contentsOf: kit.appending(path: "README.md"), encoding: .utf8)
        let section = try #require(readme.components(separatedBy: "## An app in 60 lines").dropFirst().first)
        return String(section.components(separatedBy: "```")[1].dropFirst("swift\n".count))
            .trimmingCharacters(in: .newlines)
    }

    #if os(Linux)
        /// Against a stand-in for SwiftUI that also has the names of WidgetKit and Combine that a kit could clash with.
        @Test func theAppOfTheReadmeCompiles() async throws {
            try await withDirectory { directory in
                let tests = Self.kit.deletingLastPathComponent().deletingLastPathComponent()
                    .appending(path: "Tests/BabyBasicsKitTests/Sample/SwiftUI.swift.txt")
                let swiftUI = directory.appending(path: "SwiftUI.swift")
                try FileManager.default.copyItem(at: tests, to: swiftUI)
                let app = directory.appending(path: "App.swift")
                try (Self.sample() + Self.clashes).write(to: app, atomically: true, encoding: .utf8)
                try compile(
                    ["-emit-module", "-module-name", "SwiftUI", "-parse-as-library", "-emit-module-path"]
                        + [directory.appending(path: "SwiftUI.swiftmodule").path, swiftUI.path])
                let build = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
                let sqlite = build.deletingLastPathComponent().deletingLastPathComponent()
                    .appending(path: "checkouts/GRDB.swift/Sources/GRDBSQLite/module.modulemap")
                try compile(
                    [
                        "-typecheck", "-parse-as-library", "-I", directory.path, "-I",
                        build.appending(path: "Modules").path,
                    ]
                        + ["-Xcc", "-fmodule-map-file=\(sqlite.path)", app.path])
            }
        }

        /// What SwiftUI, WidgetKit, Combine and Foundation call so is meant, whatever the kit has.
        private static let clashes = """

            extension KitConfiguration {
                // The Keychain's, which Linux doesn't have.
                static func app() -> KitConfiguration { .preview() }
            }

            func meant(_: Timeline<Int>, _: Empty<Int>, _: Store<Int>, _: Entry, _: Method, _: Activity) {}
            """

        private func compile(_ arguments: [String]) throws {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = ["swiftc", "-swift-version", "6"] + arguments
            let output = Pipe()
            process.standardError = output
            process.standardOutput = output
            try process.run()
            let said = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0, "\(String(decoding: said, as: UTF8.self))")
        }
    #endif
}
