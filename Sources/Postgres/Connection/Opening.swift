public import EventLoop
public import Logging

extension Connection {
    /// A connection of one's own, outside any pool, closed when it goes.
    ///
    /// - Throws: `unavailable` when the database can't be reached (libpq's reason goes to the log), `misuse` for a
    ///   malformed URL.
    public static func open(
        _ configuration: ConnectionConfiguration, on loop: EventLoop, logger: Logger
    ) async throws -> Connection {
        try await open(configuration, hosts: HostPreference(), on: loop, logger: logger)
    }

    static func open(
        _ configuration: ConnectionConfiguration, hosts: HostPreference, on loop: EventLoop,
        logger: Logger
    ) async throws -> Connection {
        let parameters = try ConnectionParameters(configuration, first: hosts.index)
        // Looking up a host's name blocks, and so may each of several hosts.
        switch try? await loop.blocking({ parameters.connect() }) {
        case .success(let opened):
            return try Connection(opened, configuration, hosts: hosts, on: loop, logger: logger)
        case .failure(let failure):
            logger.warning("no connection to PostgreSQL", metadata: ["reason": "\(failure.reason)"])
        case nil:
            logger.warning("no thread to connect to PostgreSQL")
        }
        throw PostgresError(.unavailable(retryAfter: 1))
    }
}
