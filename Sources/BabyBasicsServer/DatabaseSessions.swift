public import Postgres

extension PoolConfiguration {
    /// As the server's statements want sessions: each of them finds its rows by an index, and has one plan that serves all values; planning
    /// anew would cost more than most of them.
    ///
    /// - Parameters:
    ///   - url: see `SessionConfiguration`.
    ///   - sessions: at most.
    public static func forServer(url: String, sessions: Int) -> PoolConfiguration {
        var configuration = PoolConfiguration(url: url)
        configuration.maximumSessions = sessions
        configuration.session.planCacheMode = .forceGenericPlan
        configuration.session.findsRowsByIndex = true
        return configuration
    }
}
