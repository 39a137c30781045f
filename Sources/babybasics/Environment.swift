import BabyBasicsServer
import Configuration
import FastCGI
import Logging
import Postgres
import Systemd

/// What a worker process is told by its environment, checked as a whole before anything starts.
struct Environment {
    let server: ServerConfiguration
    let database: PoolConfiguration
    let threads: Int
    let hashers: Int
    let logLevel: Logger.Level
    /// Where this worker answers Prometheus; nil for nowhere.
    let metricsAddress: LoopbackAddress?
    /// Where the workers of this host keep what they share; nil for memory of its own.
    let sharedDirectory: String?
    /// How many of them take connections at once.
    let busyWorkers: Int
    private let socketPath: String?
    private let socketDescriptor: Int32?

    /// - Throws: `ConfigurationError`, which names what is missing or malformed.
    init(_ reader: ConfigReader) throws {
        server = try ServerConfiguration(reader)
        threads = try reader.number("THREADS", default: 64, in: 1...1024)
        hashers = try reader.number("HASHERS", default: 1, in: 1...64)
        database = .forServer(
            url: try reader.required("DATABASE_URL"),
            sessions: try reader.number("DATABASE_SESSIONS", default: 8, in: 1...200))
        let level = reader.text("LOG_LEVEL") ?? "info"
        guard let logLevel = Logger.Level(rawValue: level) else {
            throw ConfigurationError(
                "LOG_LEVEL must be one of \(Logger.Level.allCases.map(\.rawValue))")
        }
        self.logLevel = logLevel
        metricsAddress = try reader.loopbackAddress("METRICS_LISTEN")
        sharedDirectory = reader.text("SHARED_DIRECTORY")
        busyWorkers = try reader.number(
            "BUSY_WORKERS", default: Precedence.halfTheProcessors, in: 1...1024)
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
        configuration.threads = threads
        // One for each session, besides those in line: a request waits before it is read, not in its midst.
        configuration.concurrency = max(2, database.maximumSessions)
        configuration.maximumBodyBytes = 1 << 20
        configuration.refusal = Server.refuse
        configuration.precedence = sharedDirectory.map {
            Precedence(directory: $0, count: busyWorkers)
        }
        return configuration
    }

    func makeServices(logger: Logger) throws -> Services {
        try Services(
            configuration: server, pool: Pool(configuration: database, logger: logger),
            hashers: hashers, sharedDirectory: sharedDirectory, hashing: Hash.command,
            logger: logger)
    }

    /// Call it once a process.
    static func logger(level: Logger.Level) -> Logger {
        LoggingSystem.bootstrap { _ in LineLogHandler() }
        var logger = Logger(label: "babybasics")
        logger.logLevel = level
        return logger
    }
}
