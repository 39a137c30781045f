import Foundation
import Postgres
import TestSupport

/// A database of the seventeen migrations before these, filled by `Tests/Fixtures/filled_017.sql`.
struct OlderDatabase {
    /// `UPGRADE_EVENTS=1000000` for as many as upgrading.md tells the time of.
    static let events = ProcessInfo.processInfo.environment["UPGRADE_EVENTS"].flatMap(Int.init) ?? 20_000

    let database: TestDatabase

    init(events: Int = 450) throws {
        database = try TestCluster.shared.database(migrations: Self.fixtures + "/sql_017")
        let text = try String(contentsOfFile: Self.fixtures + "/filled_017.sql", encoding: .utf8)
        var configuration = ConnectionConfiguration(url: TestCluster.shared.superuserURL(database: database.name))
        configuration.responseTimeout = .zero
        try TestConnection(configuration).script("set fill.events = \(events);\n" + text)
    }

    /// The names of what it applies.
    @discardableResult
    func migrate() throws -> [String] {
        try database.asOwner {
            let connection = $0.connection
            return try TestLoop.run {
                try await Migrator(directory: TestCluster.projectMigrations).migrate(connection).map(\.name)
            }
        }
    }

    /// One text for each row.
    func texts(_ sql: SQL) throws -> [String] {
        var configuration = ConnectionConfiguration(url: database.ownerURL)
        configuration.statementTimeout = .zero
        configuration.responseTimeout = .zero
        return try TestConnection(configuration).rows(sql) { try $0.next(String.self) }
    }

    /// The parent of the first family, of whom the fixture knows a session.
    static let parent = TestUser(
        id: "", name: "Parent 1", email: "parent1@example.com", token: String(repeating: "0", count: 63) + "1")

    private static let fixtures =
        URL(fileURLWithPath: TestCluster.projectMigrations).deletingLastPathComponent().path + "/Tests/Fixtures"
}
