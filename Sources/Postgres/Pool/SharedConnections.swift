import EventLoop

/// The connections that all readings of a pool share.
struct SharedConnections {
    enum Place {
        case empty
        case opening([Waiter])
        case open(Connection)
    }

    var places: [Place]

    init(count: Int) { places = Array(repeating: .empty, count: count) }

    /// Where the fewest statements are under way.
    var leastBusy: Connection? {
        var best: Connection?
        for case .open(let connection) in places
        where connection.underWay.count < best?.underWay.count ?? .max { best = connection }
        return best
    }

    /// Whoever waits for one of them goes on, and finds none.
    mutating func close() -> [Connection] {
        let before = places
        places = []
        for case .opening(let waiting) in before { for waiter in waiting { waiter.assign(.fail(PoolState.closed)) } }
        return before.compactMap { if case .open(let connection) = $0 { connection } else { nil } }
    }
}

extension Pool {
    /// Nil where readings have none of their own.
    func sharedConnection() async throws -> Connection? {
        while !shared.value.places.isEmpty {
            if let connection = openConnection() { return connection }
            try await openFirst()
        }
        return nil
    }

    /// Not inlined, nor is `openFirst`: a task keeps the room of its deepest call, even while it waits for a minute.
    @inline(never)
    private func openConnection() -> Connection? {
        replaceDead()
        guard let connection = shared.value.leastBusy else { return nil }
        if !connection.underWay.isEmpty { openAnother() }
        return connection
    }

    private func replaceDead() {
        for index in shared.value.places.indices {
            guard case .open(let connection) = shared.value.places[index] else { continue }
            // Closed at once: given back as it is, it would be handed out again without a look.
            if connection.isIdleAndGone { connection.close() }
            guard !connection.isOpen || connection.mustNotBeReused else { continue }
            shared.value.places[index] = .empty
            giveBack(connection)
        }
    }

    /// Readings go on with what there is meanwhile.
    private func openAnother() {
        let empty = shared.value.places.firstIndex { if case .empty = $0 { true } else { false } }
        guard let empty else { return }
        shared.value.places[empty] = .opening([])
        loop.task { [self] in try? await open(empty) }
    }

    @inline(never)
    private func openFirst() async throws {
        if case .opening(let waiting) = shared.value.places[0] {
            let waiter = Waiter()
            shared.value.places[0] = .opening(waiting + [waiter])
            let isOutage = !statistics.isAvailable
            let timer = loop.after(isOutage ? PoolState.outageWait : configuration.checkoutTimeout) {
                waiter.assign(.fail(PostgresError(isOutage ? .unavailable(retryAfter: 1) : .poolTimeout)))
            }
            defer { timer.cancel() }
            if case .fail(let error) = await waiter.decision() { throw error }
            // Who opened it may have failed: then this task finds the place empty, and tries for itself.
            return
        }
        shared.value.places[0] = .opening([])
        try await open(0)
    }

    private func open(_ place: Int) async throws {
        let opened: Result<Connection, any Error>
        do { opened = .success(try await checkout()) } catch { opened = .failure(error) }
        guard place < shared.value.places.count else {
            // The pool was closed meanwhile.
            if case .success(let connection) = opened { giveBack(connection) }
            throw PoolState.closed
        }
        let before = shared.value.places[place]
        switch opened {
        case .success(let connection): shared.value.places[place] = .open(connection)
        case .failure: shared.value.places[place] = .empty
        }
        if case .opening(let waiting) = before { for waiter in waiting { waiter.assign(.open) } }
        _ = try opened.get()
    }
}

extension Connection {
    /// Whether the server left it, and it was not used lately so that nobody noticed.
    fileprivate var isIdleAndGone: Bool {
        underWay.isEmpty && Monotonic.now - lastAnswer > Pool.trusted && saidGoodbye
    }
}
