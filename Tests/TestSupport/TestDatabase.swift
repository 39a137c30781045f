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

    init(name: String, cluster: TestCluster) {
        self.name = name
        self.cluster = cluster
        ownerURL = cluster.url(database: name, user: "babybasics_owner")
        serverURL = cluster.url(database: name, user: "babybasics")
    }

    /// Lends a connection of the owner, made for the occasion.
    @discardableResult
    public func asOwner<Value>(_ body: (TestConnection) throws -> Value) throws -> Value {
        try body(try TestConnection(ConnectionConfiguration(url: ownerURL)))
    }

    /// Lends a connection of the server's role, made for the occasion.
    @discardableResult
    public func asServer<Value>(_ body: (TestConnection) throws -> Value) throws -> Value {
        try body(try TestConnection(ConnectionConfiguration(url: serverURL)))
    }

    /// Lends a connection of the superuser, made for the occasion.
    @discardableResult
    public func asSuperuser<Value>(_ body: (TestConnection) throws -> Value) throws -> Value {
        let url = cluster.superuserURL(database: name)
        return try body(try TestConnection(ConnectionConfiguration(url: url)))
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
