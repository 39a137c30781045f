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
            let connection = try Connection(opened, configuration, hosts: hosts, on: loop, logger: logger)
            if configuration.planCacheMode == .forceGenericPlan { try await connection.lookForCitus() }
            return connection
        case .failure(let failure):
            logger.warning("no connection to PostgreSQL", metadata: ["reason": "\(failure.reason)"])
        case nil:
            logger.warning("no thread to connect to PostgreSQL")
        }
        throw PostgresError(.unavailable(retryAfter: 1))
    }

    /// With Citus most statements have a plan for their values alone, which say where their rows are.
    private func lookForCitus() async throws {
        hasCitus =
            try await first(
                "select set_config('plan_cache_mode', 'auto', false) from pg_extension where extname = 'citus'"
            ) { _ in true } ?? false
    }
}
