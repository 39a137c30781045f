public import Postgres

extension PoolConfiguration {
    /// As the server's statements want connections: each of them finds its rows by an index, and has one plan that serves all values;
    /// planning anew would cost more than most of them.
    ///
    /// - Parameters:
    ///   - url: see `ConnectionConfiguration`.
    ///   - connections: at most.
    public static func forServer(url: String, connections: Int) -> PoolConfiguration {
        var configuration = PoolConfiguration(url: url)
        configuration.maximumConnections = connections
        configuration.connection.planCacheMode = .forceGenericPlan
        configuration.connection.findsRowsByIndex = true
        return configuration
    }
}
