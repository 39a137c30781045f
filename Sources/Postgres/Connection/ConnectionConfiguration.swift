/// How to reach the database and what limits a connection has. `.zero` is "no limit" throughout.
public struct ConnectionConfiguration: Sendable {
    /// How PostgreSQL plans prepared statements (its `plan_cache_mode`).
    public enum PlanCacheMode: String, Sendable {
        case auto
        case forceGenericPlan = "force_generic_plan"
        case forceCustomPlan = "force_custom_plan"
    }

    /// libpq's URL or keyword string; several hosts and `target_session_attrs` work.
    ///
    /// It may hold a password, so it is in no description. Keepalive settings in it win over the
    /// ones here, `options` in it are kept beside the ones here; all else here wins over it.
    public var url: String
    public var applicationName = "baby-basics"
    public var statementTimeout: Duration = .seconds(10)
    public var lockTimeout: Duration = .seconds(5)
    public var idleInTransactionTimeout: Duration = .seconds(10)
    /// For each host; whole seconds, at least 2 (libpq's rule).
    public var connectTimeout: Duration = .seconds(3)
    /// How long sent data may stay unacknowledged (TCP only).
    public var networkTimeout: Duration = .seconds(10)
    /// How long the server may stay silent after a statement before the connection is given up.
    /// The guard against a server that hangs without hanging up; above `statementTimeout`.
    public var responseTimeout: Duration = .seconds(15)
    public var planCacheMode: PlanCacheMode = .auto
    /// Whether every statement finds its rows by an index, and so none is planned to read a whole table (`enable_seqscan`), to join what several indexes give (`enable_bitmapscan`) or compiled
    /// (`jit`): a plan made while a table was empty would go on reading all of it when it has grown, until it is analyzed.
    public var findsRowsByIndex = false
    /// Prepared statements kept by a connection; the one unused for longest goes first.
    public var maximumStatements = 256

    public init(url: String) {
        self.url = url
    }
}

extension ConnectionConfiguration: CustomStringConvertible, CustomReflectable {
    public var description: String { "PostgreSQL connections of \(applicationName)" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension Duration {
    var milliseconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}
