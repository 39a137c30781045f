import Glibc
import Logging

/// One thread of a worker: takes a request when it is its turn, serves it, waits for its next turn.
final class WorkerThread {
    private let worker: Worker
    private let deadline: Deadline
    private let turn: Turn
    /// Goes with a request that awaits something; there is another for the next then.
    private var exchange = Exchange()

    init(worker: Worker, deadline: Deadline, turn: Turn) {
        self.worker = worker
        self.deadline = deadline
        self.turn = turn
    }

    func run() {
        DedicatedThread.setName("request")
        while true {
            switch nextEvent() {
            case nil: break
            case .finish: return finish()
            case let event? where event.isForOneMore && !worker.turnstile.hasRoom:
                worker.backlog.append(event)
            case .heartbeat: worker.beat()
            case .nudge: lookForOverdue()
            case .listener: if !worker.leavesConnections() { accept() }
            case .leftovers: accept(isLeftover: true)
            case .connection(let connection): take(connection, isNew: false)
            case .line(let descriptor): serveLine(descriptor)
            case .awaited(let number):
                if let suspension = worker.suspensions.remove(number) { resume(suspension) }
            }
        }
    }

    /// Waits for its turn and then for an event; nil where it is to look again.
    private func nextEvent() -> Poller.Event? {
        let backlog = worker.backlog
        // Before it may sleep: nobody else would look after what came while there was no room.
        if let event = backlog.next(hasRoom: worker.turnstile.hasRoom) { return event }
        guard worker.turnstile.pass(turn) else { return worker.poller.wait(leaving: backlog) }
        // The one who woke it has left what came with its own event. That is done with in no time mostly, and then goes on with the fresh ones.
        if let urgent = backlog.next(hasRoom: false) { return urgent }
        return worker.poller.wait(leaving: backlog, milliseconds: backlog.hasFresh ? 1 : -1)
    }

    /// Other threads learn of the end from the same event. What is awaited still is waited for.
    private func finish() {
        worker.turnstile.open()
        while let (suspension, _) = worker.suspensions.removeOne(before: .max) {
            resume(suspension)
        }
    }

    /// Waits for what has been awaited for too long, as if there were nothing but threads.
    private func lookForOverdue() {
        worker.beginLooking()
        let moment = monotonicNanoseconds() - Turnstile.patience
        guard let (suspension, hasMore) = worker.suspensions.removeOne(before: moment) else {
            return
        }
        if hasMore { worker.look() }
        turn.release()
        resume(suspension)
        // It may have taken in what came for those behind it.
        if suspension.isHere != nil { worker.backlog.append(.line(suspension.descriptor)) }
    }

    /// Answers the first of those that await a descriptor together. Before that it leaves the others to whoever takes what comes next.
    private func serveLine(_ descriptor: CInt) {
        guard let suspension = worker.nextAnswered(descriptor) else { return }
        worker.backlog.append(.line(descriptor))
        resume(suspension)
    }

    private func accept(isLeftover: Bool = false) {
        guard worker.state.beginAccepting() else { return }
        let result = worker.acceptor.accept()
        if case .connection(let connection) = result {
            worker.state.admit(connection)
            if isLeftover { worker.configuration.precedence?.foundLeftover() }
        }
        switch result {
        case .connection, .nothing: break
        case .shortage:
            worker.counters.descriptorShortages.increment()
            worker.logger.warning("no descriptors or memory left for a connection")
            usleep(20_000)
        case .failure(let code):
            worker.logger.error("accept failed", metadata: ["errno": "\(code)"])
            usleep(100_000)
        }
        worker.poller.rearmListener(worker.acceptor.socket.descriptor)
        worker.endAccepting()
        if case .connection(let connection) = result { take(connection, isNew: true) }
    }

    /// Serves the request that has begun to arrive, if one has.
    func take(_ connection: Connection, isNew: Bool) {
        worker.beginRequest()
        turn.begin()
        var isAwaited = false
        defer {
            turn.end()
            if !isAwaited { worker.turnstile.endRequest() }
        }
        deadline.begin(connection, isReading: true, nanoseconds: worker.readTimeout)
        switch exchange.take(connection) {
        case .request:
            isAwaited = serve(connection, isNew: isNew)
        case .nothingYet:
            _ = deadline.end()
            park(connection, isNew: isNew)
        case .closed:
            if !deadline.end() { timedOut() }
            worker.close(connection)
        case .garbage:
            _ = deadline.end()
            worker.counters.broken.increment()
            worker.logger.warning("connection does not begin with a FastCGI request")
            worker.close(connection)
        }
    }

    /// Returns whether the request awaits something now.
    private func serve(_ connection: Connection, isNew: Bool) -> Bool {
        guard exchange.begin(connection) else {
            endUnread()
            _ = exchange.end()
            worker.close(connection)
            return false
        }
        var request = exchange.parameters()
        let length = ContentLength(request.bytes(of: "CONTENT_LENGTH"))
        let body = exchange.readBody(length: length, maximumBytes: worker.maximumBodyBytes)
        if case .broken = body {
            endUnread()
            _ = exchange.end()
            worker.close(connection)
            return false
        }
        guard deadline.end() else {
            timedOut()
            _ = exchange.end()
            worker.close(connection)
            return false
        }
        guard case .complete(let bytes) = body else {
            answer(refuse(body), exchange, connection, isNew: isNew, isRefusal: true)
            return false
        }
        worker.counters.requests.increment()
        request.body = bytes
        switch worker.start(request, turn) {
        case .ready(let response):
            answer(response, exchange, connection, isNew: isNew)
            return false
        case .later(let descriptor, let isHere, let then):
            suspend(
                Suspension(
                    connection: connection, isNew: isNew, exchange: exchange,
                    since: turn.since, descriptor: descriptor, isHere: isHere, then: then))
            return true
        }
    }

    private func suspend(_ suspension: Suspension) {
        exchange = worker.exchanges.next()
        if suspension.isHere != nil { return worker.queue(suspension) }
        let number = worker.suspensions.insert(suspension)
        if !worker.poller.await(suspension.descriptor, number: number),
            let suspension = worker.suspensions.remove(number)
        {
            turn.release()
            resume(suspension)
        }
    }

    /// Answers a request that has what it awaited, or waits for it.
    private func resume(_ suspension: Suspension) {
        turn.begin()
        if suspension.isHere != nil { worker.turnstile.leaveLine() }
        let response = suspension.then(turn)
        answer(response, suspension.exchange, suspension.connection, isNew: suspension.isNew)
        worker.exchanges.append(suspension.exchange)
        turn.end()
        worker.turnstile.endRequest()
    }

    private func answer(
        _ response: Response, _ exchange: Exchange, _ connection: Connection, isNew: Bool,
        isRefusal: Bool = false
    ) {
        deadline.begin(connection, isReading: false, nanoseconds: worker.writeTimeout)
        let isSent = exchange.answer(response)
        var isKept = exchange.end() && isSent
        if isRefusal {
            connection.linger()
            isKept = false
        }
        if !deadline.end() {
            timedOut()
            isKept = false
        } else if !isSent {
            worker.counters.broken.increment()
        }
        if isKept { park(connection, isNew: isNew) } else { worker.close(connection) }
    }

    private func refuse(_ body: Exchange.Body) -> Response {
        guard case .refused(let refusal) = body else { return Response(status: 500) }
        worker.counters.refused.increment()
        worker.logger.warning("request refused", metadata: ["reason": "\(refusal)"])
        return worker.configuration.refusal(refusal)
    }

    /// The request ended before it was whole: was it the peer or the clock?
    private func endUnread() {
        if deadline.end() {
            worker.counters.broken.increment()
            worker.logger.debug("request broken off by its peer")
        } else {
            timedOut()
        }
    }

    private func timedOut() {
        worker.counters.timedOut.increment()
        worker.logger.warning("peer took too long")
    }

    private func park(_ connection: Connection, isNew: Bool) {
        if !worker.poller.park(connection, isNew: isNew) { worker.close(connection) }
    }
}
