import Foundation
public import Postgres
import Synchronization

/// A database of one test. Its cluster takes it with it.
public final class TestDatabase: Sendable {
    public let name: String
    /// For the role that owns the database.
    public let ownerURL: String
    /// For the server's role.
    public let serverURL: String
    private let cluster: TestCluster
    /// By their URL, those that came back: PostgreSQL takes longer to make one than for most of what tests ask.
    private let idle = Mutex<[String: [Handed<TestConnection>]]>([:])

    init(name: String, cluster: TestCluster) {
        self.name = name
        self.cluster = cluster
        ownerURL = cluster.url(database: name, user: "babybasics_owner")
        serverURL = cluster.url(database: name, user: "babybasics")
    }

    /// Lends a connection of the owner.
    @discardableResult
    public func asOwner<Value>(_ body: (TestConnection) throws -> Value) throws -> Value {
        try lend(ownerURL, body)
    }

    /// Lends a connection of the server's role.
    @discardableResult
    public func asServer<Value>(_ body: (TestConnection) throws -> Value) throws -> Value {
        try lend(serverURL, body)
    }

    /// Lends a connection of the superuser.
    @discardableResult
    public func asSuperuser<Value>(_ body: (TestConnection) throws -> Value) throws -> Value {
        try lend(cluster.superuserURL(database: name), body)
    }

    /// Nobody else has it meanwhile, and what was set in it before is forgotten.
    private func lend<Value>(_ url: String, _ body: (TestConnection) throws -> Value) throws -> Value {
        let returned = idle.withLock { $0[url]?.popLast() }?.value
        let connection =
            if let returned, (try? returned.execute("discard all")) != nil { returned } else {
                try TestConnection(ConnectionConfiguration(url: url))
            }
        let value = try body(connection)
        if !connection.isInTransaction {
            let handed = Handed(connection)
            idle.withLock { $0[url, default: []].append(handed) }
        }
        return value
    }

    /// Runs a statement as the owner.
    @discardableResult
    public func execute(_ sql: SQL) throws -> Int {
        try asOwner { try $0.execute(sql) }
    }

    /// Runs a text of several statements as the owner.
    public func script(_ text: String) throws {
        try asOwner { try $0.script(text) }
    }
}

extension TestCluster {
    /// A fresh database with the schema of the project's `sql/` directory.
    public func database() throws -> TestDatabase {
        try database(migrations: Self.projectMigrations)
    }

    /// A fresh database with the schema of a directory of migrations, applied once per process.
    public func database(migrations directory: String) throws -> TestDatabase {
        try create(template: try template(of: directory))
    }

    /// A fresh database without a schema.
    public func emptyDatabase() throws -> TestDatabase {
        try create(template: "template0")
    }

    /// The project's migrations.
    public static let projectMigrations: String =
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("sql").path

    private func template(of directory: String) throws -> String {
        try templates.withLock { templates in
            if let name = templates[directory] { return name }
            let name = uniqueName("template")
            try create(name, template: "template0")
            let url = url(database: name, user: "babybasics_owner")
            let session = try TestConnection(ConnectionConfiguration(url: url))
            let connection = session.connection
            _ = try TestLoop.run { try await Migrator(directory: directory).migrate(connection) }
            session.close()
            templates[directory] = name
            return name
        }
    }

    private func create(template: String) throws -> TestDatabase {
        let name = uniqueName("test")
        try create(name, template: template)
        return TestDatabase(name: name, cluster: self)
    }

    private func create(_ name: String, template: String) throws {
        try maintain(
            """
            create database \(unescaped: name) template \(unescaped: template)
                owner babybasics_owner strategy file_copy
            """)
    }

    private func uniqueName(_ kind: String) -> String {
        let number = Self.counter.add(1, ordering: .relaxed).newValue
        return "\(kind)_\(ProcessInfo.processInfo.processIdentifier)_\(number)"
    }

    private static let counter = Atomic(0)
}
