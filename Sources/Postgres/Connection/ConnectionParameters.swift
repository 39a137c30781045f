import CLibPQ

/// libpq's keywords and values, in the order in which later ones win.
struct ConnectionParameters: Sendable {
    private(set) var pairs: [(keyword: String, value: String)]
    let hosts: Hosts

    /// - Parameter first: the host to try first, by its place in the URL, beyond the last counted on
    ///   from the first.
    /// - Throws: `misuse` when the URL can't be parsed; what libpq says about it is not kept, as
    ///   it quotes the URL and so the password.
    init(_ configuration: ConnectionConfiguration, first: Int = 0) throws {
        var settings = [
            "statement_timeout=\(configuration.statementTimeout.milliseconds)",
            "lock_timeout=\(configuration.lockTimeout.milliseconds)",
            "idle_in_transaction_session_timeout="
                + "\(configuration.idleInTransactionTimeout.milliseconds)",
            "TimeZone=UTC",
            "standard_conforming_strings=on",
            "plan_cache_mode=\(configuration.planCacheMode.rawValue)",
        ]
        if configuration.findsRowsByIndex { settings += ["enable_seqscan=off", "enable_bitmapscan=off", "jit=off"] }
        let own = settings.map { "-c \($0)" }.joined(separator: " ")
        let given = try Self.option("options", of: configuration.url)
        pairs = [
            ("keepalives", "1"),
            ("keepalives_idle", "15"),
            ("keepalives_interval", "5"),
            ("keepalives_count", "3"),
            ("tcp_user_timeout", "\(configuration.networkTimeout.milliseconds)"),
            ("dbname", configuration.url),
            ("client_encoding", "UTF8"),
            ("application_name", configuration.applicationName),
            ("options", given.map { "\($0) \(own)" } ?? own),
        ]
        // With `hostaddr`, `host` is not where to go.
        let isPlain = try Self.option("hostaddr", of: configuration.url) == nil
        hosts = Hosts(
            names: isPlain ? try Self.option("host", of: configuration.url) : nil,
            ports: try Self.option("port", of: configuration.url))
        pairs += hosts.parameters(first: first)
        if configuration.connectTimeout > .zero {
            let seconds = (configuration.connectTimeout.milliseconds + 999) / 1000
            pairs.append(("connect_timeout", "\(max(2, seconds))"))
        }
    }

    private static func option(_ keyword: String, of url: String) throws -> String? {
        guard !url.utf8.contains(0), let options = unsafe PQconninfoParse(url, nil) else {
            throw PostgresError(.misuse("the database URL is malformed"))
        }
        defer { unsafe PQconninfoFree(options) }
        var option = unsafe options
        while let name = unsafe option.pointee.keyword {
            if unsafe String(cString: name) == keyword, let value = unsafe option.pointee.val {
                return unsafe String(cString: value)
            }
            unsafe option += 1
        }
        return nil
    }

    /// Connects, which blocks for as long as it takes.
    /// - Returns: libpq's connection, or what kept it from one.
    func connect() -> Result<OpenedConnection, ConnectionFailure> {
        guard let handle = unsafe start() else { return .failure(ConnectionFailure(reason: "no memory")) }
        guard unsafe PQstatus(handle) == CONNECTION_OK else {
            defer { unsafe PQfinish(handle) }
            return .failure(ConnectionFailure(reason: unsafe String(cString: PQerrorMessage(handle))))
        }
        return .success(unsafe OpenedConnection(handle: handle, host: unsafe hosts.index(of: handle)))
    }

    /// A new connection in whatever state connecting left it; nil when memory ran out.
    private func start() -> OpaquePointer? {
        var keywords: [UnsafePointer<CChar>?] = unsafe []
        var values: [UnsafePointer<CChar>?] = unsafe []
        var copies: [UnsafeMutablePointer<CChar>] = unsafe []
        for (keyword, value) in pairs {
            for text in [keyword, value] {
                let copy = UnsafeMutablePointer<CChar>.allocate(capacity: text.utf8.count + 1)
                var end = unsafe copy
                for byte in text.utf8 {
                    unsafe end.initialize(to: CChar(bitPattern: byte))
                    unsafe end += 1
                }
                unsafe end.initialize(to: 0)
                unsafe copies.append(copy)
            }
            unsafe keywords.append(UnsafePointer(copies[copies.count - 2]))
            unsafe values.append(UnsafePointer(copies[copies.count - 1]))
        }
        unsafe keywords.append(nil)
        unsafe values.append(nil)
        defer {
            while let copy = unsafe copies.popLast() { unsafe copy.deallocate() }
        }
        return unsafe PQconnectdbParams(keywords, values, 1)
    }
}

/// libpq's connection on its way to the loop that it will belong to.
///
/// Unchecked because the thread that opened it gives it up, and only the one loop takes it.
@safe
struct OpenedConnection: @unchecked Sendable {
    let handle: OpaquePointer
    /// The place of its host in the URL, nil if that can't be told.
    let host: Int?
}

struct ConnectionFailure: Error {
    /// libpq's words, for the log.
    let reason: String
}
