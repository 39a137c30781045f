import Foundation
public import Logging
import Postgres
import Synchronization

/// A PostgreSQL of the tests' own: on a unix socket only, in a directory of its own, gone when the
/// process is.
///
/// ```swift
/// let database = try TestCluster.shared.database()   // the project's schema, no rows
/// let pool = Pool(configuration: .init(url: database.serverURL), on: TestLoop.shared, logger: logger)
/// ```
///
/// Roles: `babybasics_owner` owns the databases, `babybasics` is the server's and owns nothing.
public final class TestCluster: Sendable {
    /// The cluster of this process, started when it is first used.
    public static let shared: TestCluster = {
        do {
            return try start()
        } catch {
            preconditionFailure("no PostgreSQL for the tests: \(error)")
        }
    }()

    public let port = TestServer.port
    public let superuser = "postgres"
    private let server: TestServer
    /// One connection, so that databases are made one after the other: PostgreSQL refuses to copy a
    /// template that somebody is using.
    private let maintenance: Pool
    let templates = Mutex<[String: String]>([:])

    private init(_ server: TestServer) throws {
        self.server = server
        var configuration = PoolConfiguration(url: Self.url(server.directory, port, superuser, "postgres"))
        configuration.maximumConnections = 1
        configuration.checkoutTimeout = .seconds(120)
        configuration.connection.statementTimeout = .seconds(60)
        configuration.connection.responseTimeout = .seconds(90)
        maintenance = Pool(configuration: configuration, on: TestLoop.shared, logger: Self.logger)
        try createRoles()
    }

    /// A logger that shows errors alone.
    public static let logger: Logger = {
        var logger = Logger(label: "tests")
        logger.logLevel = .critical
        return logger
    }()

    /// Starts another cluster, for tests that stop it or change its settings. It ends with the
    /// last reference to it.
    ///
    /// - Parameter settings: lines of postgresql.conf, such as `["max_connections": "20"]`.
    public static func start(settings: [String: String] = [:]) throws -> TestCluster {
        try TestCluster(TestServer(settings: settings))
    }

    public var socketDirectory: String { server.directory }

    public enum StopMode: String, Sendable {
        case fast, immediate
    }

    /// Stops PostgreSQL; sessions end at once. The databases stay.
    public func stop(_ mode: StopMode = .fast) throws {
        try server.stop(mode)
    }

    /// Starts it again, and returns when it accepts connections.
    public func start() throws {
        try server.start()
    }

    public func restart(_ mode: StopMode = .fast) throws {
        try stop(mode)
        try start()
    }

    /// The URL of a database for a role.
    public func url(database: String, user: String) -> String {
        Self.url(socketDirectory, port, user, database)
    }

    /// The URL for the superuser.
    public func superuserURL(database: String = "postgres") -> String {
        url(database: database, user: superuser)
    }

    private static func url(
        _ directory: String, _ port: String, _ user: String, _ database: String
    ) -> String {
        "postgresql:///\(database)?host=\(directory)&port=\(port)&user=\(user)"
    }

    private func createRoles() throws {
        for role in ["babybasics_owner", "babybasics"] {
            try maintain("create role \(unescaped: role) login")
        }
    }

    /// Runs a statement as the superuser, in the database that everybody has.
    func maintain(_ sql: SQL) throws {
        let maintenance = maintenance
        try TestLoop.run { try await maintenance.withConnection { _ = try await $0.execute(sql) } }
    }
}

public struct TestClusterError: Error, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
