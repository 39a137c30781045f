import Dispatch
import EventLoop
import Glibc
import Postgres
import Synchronization
import TestSupport
import Testing

/// PostgreSQL goes away and comes back; the pool fails fast and recovers by itself.
@Suite(.serialized)
struct OutageTests {
    private func poolOn(_ cluster: TestCluster, _ maximum: Int = 4) -> TestPool {
        var configuration = PoolConfiguration(url: cluster.superuserURL())
        configuration.maximumConnections = maximum
        return TestPool(configuration: configuration)
    }

    private func ask(_ pool: TestPool) throws {
        let answer = try pool.withConnection { connection in
            try connection.first("select \(5)") { try $0.next(Int.self) }
        }
        #expect(answer == 5)
    }

    @Test(arguments: [TestCluster.StopMode.fast, .immediate])
    func aRestartFailsNoRequestAfterwards(_ mode: TestCluster.StopMode) throws {
        let cluster = try TestCluster.start()
        let pool = poolOn(cluster)
        try pool.fill(4)
        #expect(pool.statistics.idle == 4)
        try cluster.restart(mode)
        for _ in 0..<8 { try ask(pool) }
        try pool.fill(4)
    }

    enum End: CaseIterable {
        /// These say so before they hang up.
        case fast, immediate
        case killed
    }

    /// Uses a connection of a server that stops unseen, as the loop's thread waits until it has.
    private func useUnseen(
        _ connection: TestConnection, on loop: EventLoop, of cluster: TestCluster, _ end: End,
        _ body: @escaping @Sendable (Connection) async throws -> Void
    ) throws -> (error: PostgresError, milliseconds: Int) {
        let stopped = DispatchSemaphore(value: 0)
        let handed = Handed(connection.connection)
        @Sendable func wait() { stopped.wait() }
        let used = Background {
            try failure {
                try loop.wait {
                    wait()
                    try await body(handed.value)
                }
            }
        }
        usleep(50_000)
        switch end {
        case .fast: try cluster.stop(.fast)
        case .immediate: try cluster.stop(.immediate)
        case .killed:
            let process = connection.processIdentifier
            #expect(kill(process, SIGKILL) == 0)
            try eventually { kill(process, 0) != 0 }
        }
        var error: PostgresError?
        let spent = try milliseconds {
            stopped.signal()
            error = try used.join()
        }
        return (try #require(error), spent)
    }

    /// libpq finds it out when it sends, and closes the socket, of which no event comes any more.
    @Test(arguments: End.allCases)
    func aServerThatWentUnseenIsFoundGoneAtOnce(_ end: End) throws {
        let cluster = try TestCluster.start()
        // A loop of its own, which stays: what is closed late is closed on it.
        let loop = TestLoop.start()
        let configuration = ConnectionConfiguration(url: cluster.superuserURL())
        let connection = try TestConnection(configuration, on: loop)
        try connection.execute("select 1")
        let gone = try useUnseen(connection, on: loop, of: cluster, end) { try await $0.execute("select 1") }
        #expect(gone.error.isConnectionLost)
        #expect(gone.milliseconds < 5000)
        #expect(!connection.connection.isOpen)
    }

    /// What shows that the server is gone are the statements that make room for two others.
    @Test(arguments: End.allCases)
    func aServerThatWentUnseenIsFoundGoneByWhatMakesRoom(_ end: End) throws {
        let cluster = try TestCluster.start()
        // A loop of its own, which stays: what is closed late is closed on it.
        let loop = TestLoop.start()
        var configuration = ConnectionConfiguration(url: cluster.superuserURL())
        configuration.maximumStatements = 3
        let connection = try TestConnection(configuration, on: loop)
        for number in 0..<3 { try connection.execute("select \(unescaped: String(number))") }
        let gone = try useUnseen(connection, on: loop, of: cluster, end) { connection in
            try await connection.transaction {
                try connection.enqueue("select 'a'")
                try await connection.execute("select 'b'")
            }
        }
        #expect(gone.error.isConnectionLost)
    }

    @Test func whileAwayRequestsFailFastAndThenItIsBack() throws {
        let cluster = try TestCluster.start()
        let pool = poolOn(cluster)
        try pool.fill(4)
        try cluster.stop()
        for _ in 0..<200 {
            var error: PostgresError?
            let spent = try milliseconds { error = try failure { try ask(pool) } }
            #expect(error?.isUnavailable == true)
            #expect(spent < 300)
            if case .unavailable(let seconds) = error?.kind { #expect((1...10).contains(seconds)) }
            usleep(2000)
        }
        #expect(!pool.statistics.isAvailable)
        #expect(pool.statistics.inUse == 0 && pool.statistics.idle == 0)
        try cluster.start()
        let recovery = try milliseconds { try eventually { (try? ask(pool)) != nil } }
        #expect(recovery < 1200)
        #expect(pool.statistics.isAvailable)
        for _ in 0..<8 { try ask(pool) }
    }

    @Test func manyThreadsThroughARestart() throws {
        let cluster = try TestCluster.start()
        let pool = poolOn(cluster)
        let isOver = Atomic(false)
        let isUp = Atomic(true)
        let workers = (0..<8).map { _ in
            Background { () -> (answers: Int, unexpected: [String]) in
                var answers = 0
                var unexpected: [String] = []
                while !isOver.load(ordering: .relaxed) {
                    let mustWork = isUp.load(ordering: .relaxed)
                    do {
                        try ask(pool)
                        answers += 1
                    } catch let error as PostgresError {
                        // On a busy machine a request may take from before the stop into it.
                        let stillMust = mustWork && isUp.load(ordering: .relaxed)
                        if stillMust || !error.isUnavailability { unexpected.append("\(error)") }
                    }
                    usleep(1000)
                }
                return (answers, unexpected)
            }
        }
        usleep(200_000)
        isUp.store(false, ordering: .relaxed)
        usleep(50_000)
        try cluster.stop()
        usleep(500_000)
        try cluster.start()
        // The longest that a request may still be refused after PostgreSQL is back.
        usleep(1_100_000)
        isUp.store(true, ordering: .relaxed)
        usleep(300_000)
        isOver.store(true, ordering: .relaxed)
        for worker in workers {
            let (answers, unexpected) = try worker.join()
            #expect(answers > 50)
            #expect(unexpected.isEmpty)
        }
        #expect(pool.statistics.inUse == 0 && pool.statistics.waiting == 0)
    }

    @Test func tooManyConnectionsLeavesThoseThereAre() throws {
        let cluster = try TestCluster.start(settings: [
            "max_connections": "6", "superuser_reserved_connections": "0", "max_wal_senders": "0",
        ])
        let pool = poolOn(cluster, 16)
        let workers = (0..<16).map { _ in
            Background {
                for _ in 0..<30 {
                    try? pool.withConnection { _ = try $0.execute("select pg_sleep(0.002)") }
                }
            }
        }
        for worker in workers { try worker.join() }
        try eventually { (try? ask(pool)) != nil }
        #expect(pool.statistics.inUse == 0 && pool.statistics.waiting == 0)
    }

    @Test func aServerThatNeverAnswersIsUnavailable() throws {
        // Listens, and takes no connection: a host that is there but hangs.
        let directory = "/tmp/bbhang.\(getpid())"
        mkdir(directory, 0o700)
        let path = "\(directory)/.s.PGSQL.5432"
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer {
            close(listener)
            unlink(path)
            rmdir(directory)
        }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(bound == 0 && listen(listener, 8) == 0)
        var configuration = PoolConfiguration(url: "postgresql:///x?host=\(directory)&port=5432")
        configuration.connection.connectTimeout = .seconds(2)
        let pool = TestPool(configuration: configuration)
        var error: PostgresError?
        let first = try milliseconds { error = try failure { try ask(pool) } }
        #expect((1000..<4000).contains(first))
        #expect(error?.isUnavailable == true)
        // One request tries again; the others do not wait for it for long.
        var attempts = Attempts(listener)
        usleep(100_000)
        let probe = Background { try failure { try ask(pool) } }
        try attempts.another()
        for _ in 0..<3 {
            let spent = try milliseconds { error = try failure { try ask(pool) } }
            #expect(error?.isUnavailable == true)
            #expect(spent < 500)
        }
        #expect(try probe.join().isUnavailable)
        // Readings wait no longer. (After a failure nobody tries for 50 ms.)
        usleep(100_000)
        let reading = Background { try failure { try pool.read("select 5") { try $0.next(Int.self) } } }
        try attempts.another()
        for _ in 0..<3 {
            let spent = try milliseconds {
                error = try failure { _ = try pool.read("select 5") { try $0.next(Int.self) } }
            }
            #expect(error?.isUnavailable == true)
            #expect(spent < 500)
        }
        #expect(try reading.join().isUnavailable)
    }

    @Test func readingsAreBackWithinASecond() throws {
        let cluster = try TestCluster.start()
        let pool = poolOn(cluster)
        func read() throws { #expect(try pool.read("select 5") { try $0.next(Int.self) } == [5]) }
        try read()
        try cluster.stop(.immediate)
        for _ in 0..<100 {
            let error = try failure { try read() }
            #expect(error.isUnavailability)
            usleep(2000)
        }
        try cluster.start()
        let recovery = try milliseconds { try eventually { (try? read()) != nil } }
        #expect(recovery < 1200)
        for _ in 0..<8 { try read() }
    }

    @Test func severalHostsAndTargetSessionAttributes() throws {
        let cluster = try TestCluster.start()
        let url =
            "postgresql:///postgres?host=/nonexistent,\(cluster.socketDirectory)&port=1,5432"
            + "&user=postgres&target_session_attrs=read-write"
        let pool = TestPool(configuration: PoolConfiguration(url: url))
        try ask(pool)
    }

    /// A primary that hung may have been replaced, and would be found first when it goes on.
    @Test func afterAHangTheNextHostIsTriedFirst() throws {
        let first = try TestCluster.start(settings: ["cluster_name": "first"])
        let second = try TestCluster.start(settings: ["cluster_name": "second"])
        let url =
            "postgresql:///postgres?host=\(first.socketDirectory),\(second.socketDirectory)"
            + "&port=5432,5432&user=postgres&target_session_attrs=read-write"
        var configuration = PoolConfiguration(url: url)
        configuration.connection.responseTimeout = .milliseconds(500)
        let pool = TestPool(configuration: configuration)
        func names(_ count: Int) throws -> Set<String> {
            guard count > 0 else { return [] }
            return try pool.withConnection { connection in
                let name = try connection.first("select current_setting('cluster_name')") {
                    try $0.next(String.self)
                }
                return try names(count - 1).union([name ?? ""])
            }
        }
        #expect(try names(3) == ["first"])
        let error = try failure {
            try pool.withConnection { connection in
                let process = connection.processIdentifier
                #expect(kill(process, SIGSTOP) == 0)
                defer { kill(process, SIGCONT) }
                try connection.execute("select 1")
            }
        }
        #expect(error.isConnectionLost)
        #expect(pool.statistics.idle == 0, "the other sessions would wait in vain, too")
        #expect(try names(3) == ["second"])
        // And back, when that one has gone.
        try second.stop()
        try eventually { (try? names(3)) == ["first"] }
    }

    /// What a primary that became a standby answers: the connection goes, so that the next one
    /// finds the new primary.
    @Test func aSessionOnAReadOnlyServerIsNotUsedAgain() throws {
        let cluster = try TestCluster.start()
        let pool = poolOn(cluster, 1)
        try pool.withConnection { try $0.execute("set default_transaction_read_only = on") }
        let error = try failure {
            try pool.withConnection { try $0.execute("create table t (a int)") }
        }
        #expect(error.sqlState == .readOnlyTransaction)
        try pool.withConnection { try $0.execute("create table t (a int)") }
    }
}

extension PostgresError {
    /// Whether the database, rather than the statement, is the trouble.
    fileprivate var isUnavailability: Bool {
        switch kind {
        case .connectionLost, .unavailable, .poolTimeout: true
        default: false
        }
    }
}

/// Who connects to a listener, and is told nothing.
private struct Attempts: ~Copyable {
    private let listener: Int32
    private var connected: [Int32] = []

    /// Of those that come from now on.
    init(_ listener: Int32) {
        self.listener = listener
        while next(milliseconds: 0) {}
    }

    /// Waits until somebody connects.
    mutating func another() throws {
        let came = next(milliseconds: 10_000)
        try #require(came)
    }

    private mutating func next(milliseconds: Int32) -> Bool {
        var waiting = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, milliseconds) == 1 else { return false }
        connected.append(accept(listener, nil, nil))
        return true
    }

    deinit { for socket in connected { close(socket) } }
}
