import BabyBasicsAPI
import EventLoop
import Logging
import Postgres
import Synchronization

/// The way of the news between workers: one connection that listens and sends.
///
/// NOTIFY takes a lock over the whole database at its commit. So no request's transaction has one: what has gathered goes in one statement,
/// at most every 25 ms, and waits for no disk and no standby.
extension News {
    private static let channel: StaticString = "babybasics_news"

    /// Tells every worker.
    static func notification(of items: [NewsItem]) -> SQL {
        "select pg_notify(\("\(channel)"), p) from unnest(\(GatheredNews.payloads(of: items))) p"
    }

    private static let pause = Duration.milliseconds(25)
    /// How often the connection looks for what nobody told, as of a worker that was killed after its commit; so it shows that it
    /// lives.
    private static let look = Duration.seconds(10)
    private static let retries = (first: Duration.milliseconds(100), last: Duration.seconds(2))

    /// Listens and sends until `close`, on a new connection whenever one was lost. On the loop.
    func run() async {
        var delay = Self.retries.first
        while !state.value.isClosed {
            if let connection = try? await pool.ownConnection() {
                if await serve(connection) { delay = Self.retries.first }
                connection.close()
                metrics.isListening.store(0, ordering: .relaxed)
            }
            if state.value.isClosed { return }
            // Workers that lost the same server do not come back all at once.
            await loop.sleep(delay * Double.random(in: 0.5...1))
            delay = min(delay * 2, Self.retries.last)
        }
    }

    /// Returns whether it came to listening.
    private func serve(_ connection: Connection) async -> Bool {
        let own = connection.processIdentifier
        do {
            // Lost news are no loss.
            try await connection.execute("set synchronous_commit = off")
            try await connection.listen(to: Self.channel) { [unowned self] in
                if $0.sender != own { receive($0.payload) }
            } end: { [unowned self] in
                wakeLine()
            }
            metrics.isListening.store(1, ordering: .relaxed)
            while connection.isOpen, !state.value.isClosed {
                let next = Monotonic.now + Self.look.nanoseconds
                try await noticeCopy(connection)
                try await lookAgain(connection)
                while connection.isOpen, !state.value.isClosed, Monotonic.now < next {
                    try await send(connection, until: next)
                }
            }
        } catch {
            logger.warning("news are interrupted", metadata: ["reason": "\(loggable(error))"])
        }
        return metrics.isListening.load(ordering: .relaxed) == 1
    }

    private func receive(_ payload: String) {
        for text in payload.split(separator: " ") {
            guard let item = NewsItem(text) else { continue }
            metrics.received.add()
            tell(item)
        }
    }

    private func send(_ connection: Connection, until next: UInt64) async throws {
        if state.value.outgoing.isEmpty { await pauseLine(until: next) }
        guard connection.isOpen, !state.value.isClosed, !state.value.outgoing.isEmpty else { return }
        let items = state.value.outgoing.take()
        do {
            try await connection.execute(Self.notification(of: items))
        } catch {
            // The next connection sends them. Others may have looked again before what they tell of was committed.
            for item in items { state.value.outgoing.add(item) }
            throw error
        }
        metrics.sent.add(UInt64(items.count))
        await loop.sleep(Self.pause)
    }

    /// Suspends until there is something to send, the connection ends, or it is time for a look.
    private func pauseLine(until next: UInt64) async {
        let timer = loop.at(next) { [unowned self] in wakeLine() }
        await suspend { state.value.idle = $0 }
        timer.cancel()
    }

    /// Where the database is a copy, be it that another worker has noticed, whoever waits has read of another one.
    private func noticeCopy(_ connection: Connection) async throws {
        let (known, current) = (state.value.generation, try await connection.currentGeneration())
        guard current != known else { return }
        state.value.generation = current
        if known != nil { logger.notice("the database is a copy of another: apps sync anew") }
        for waiter in state.value.waiters.all { waiter.tell(.news) }
    }

    /// Tells who waits for families that changed, or went, without a word.
    private func lookAgain(_ connection: Connection) async throws {
        var rest = state.value.waiters.waitingFamilies[...]
        while !rest.isEmpty {
            let families = Array(rest.prefix(1000))
            rest = rest.dropFirst(1000)
            let found = try await connection.rows(
                "select family_id, last_revision from feeds where family_id = any(\(families.map(\.uuid)))"
            ) { (try $0.next(FamilyID.self), try $0.next(Int64.self)) }
            let revisions = Dictionary(found) { first, _ in first }
            for family in families {
                state.value.waiters.tell(.family(family, upTo: revisions[family] ?? NewsItem.unknown))
            }
        }
    }
}
