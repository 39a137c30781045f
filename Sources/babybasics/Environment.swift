import BabyBasicsServer
import Configuration
import Cryptography
import EventLoop
import FastCGI
import Logging
import Postgres
import SharedMemory
import Systemd

/// What a worker process is told by its environment, checked as a whole before anything starts.
struct Environment {
    let server: ServerConfiguration
    let database: PoolConfiguration
    let hashConcurrency: Int
    let hashesWhenIdle: Bool
    let logLevel: Logger.Level
    /// Where this worker answers Prometheus; nil for nowhere.
    let metricsAddress: LoopbackAddress?
    /// Where the workers of this host keep what they share; nil for memory of its own.
    let sharedDirectory: String?
    private let socketPath: String?
    private let socketDescriptor: Int32?

    /// - Throws: `ConfigurationError`, which names what is missing or malformed.
    init(_ reader: ConfigReader) throws {
        server = try ServerConfiguration(reader)
        hashConcurrency = try reader.number(
            "HASH_CONCURRENCY", formerly: "HASHERS", default: 1, in: 1...64)
        let priority = reader.text("HASH_PRIORITY") ?? "idle"
        guard ["idle", "normal"].contains(priority) else {
            throw ConfigurationError("HASH_PRIORITY must be idle or normal")
        }
        hashesWhenIdle = priority == "idle"
        database = .forServer(
            url: try reader.required("DATABASE_URL"),
            connections: try reader.number(
                "DATABASE_CONNECTIONS", formerly: "DATABASE_SESSIONS", default: 8, in: 1...200))
        let level = reader.text("LOG_LEVEL") ?? "info"
        guard let logLevel = Logger.Level(rawValue: level) else {
            throw ConfigurationError(
                "LOG_LEVEL must be one of \(Logger.Level.allCases.map(\.rawValue))")
        }
        self.logLevel = logLevel
        metricsAddress = try reader.loopbackAddress("METRICS_LISTEN")
        sharedDirectory = reader.text("SHARED_DIRECTORY")
        socketPath = reader.text("LISTEN_SOCKET")
        socketDescriptor =
            reader.text("LISTEN_FD") == nil
            ? nil : Int32(try reader.number("LISTEN_FD", default: 0, in: 0...65_535))
    }

    /// Of the socket unit, of the parent process, or of its own.
    func makeListener() throws -> Listener {
        switch (ServiceManager.listeners.first, socketDescriptor, socketPath) {
        case (let descriptor?, nil, nil), (nil, let descriptor?, nil):
            return try Listener(inherited: descriptor)
        case (nil, nil, let path?):
            return try Listener(path: path)
        default:
            throw ConfigurationError(
                "one of LISTEN_SOCKET, LISTEN_FD and a socket unit must give the socket")
        }
    }

    var workerConfiguration: WorkerConfiguration {
        var configuration = WorkerConfiguration()
        configuration.maximumBodyBytes = 1 << 20
        configuration.refusal = Server.refuse
        return configuration
    }

    func makeServices(on loop: EventLoop, logger: Logger) throws -> Services {
        let passwords = try PasswordHasher(
            concurrency: hashConcurrency, limit: 16 * hashConcurrency, isIdle: hashesWhenIdle,
            report: { logger.warning("hashing is no idle work", metadata: ["reason": "\($0)"]) })
        let counts = try RateLimitTable(path: sharedDirectory.map { "\($0)/request-counts" })
        return Services(
            configuration: server, pool: Pool(configuration: database, on: loop, logger: logger),
            passwords: passwords, requestCounts: counts, logger: logger)
    }

    /// Call it once a process.
    static func logger(level: Logger.Level) -> Logger {
        LoggingSystem.bootstrap { _ in ServiceLogHandler(.standardError, level: level) }
        var logger = Logger(label: "babybasics")
        logger.logLevel = level
        return logger
    }
}
