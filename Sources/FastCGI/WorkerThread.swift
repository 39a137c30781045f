import Glibc
import Logging

/// One thread of a worker: waits, serves one request, waits.
struct WorkerThread {
    let worker: Worker
    let deadline: Deadline
    let seat: Turnstile.Seat
    private let exchange = Exchange()

    init(worker: Worker, deadline: Deadline, seat: Turnstile.Seat) {
        self.worker = worker
        self.deadline = deadline
        self.seat = seat
    }

    func run() {
        worker.turnstile.enter()
        while true {
            worker.turnstile.pass()
            switch worker.poller.wait() {
            case .finish: return worker.turnstile.open()
            case .heartbeat: worker.beat()
            case .listener: accept()
            case .connection(let connection): take(connection, isNew: false)
            }
        }
    }

    private func accept() {
        guard worker.state.beginAccepting() else { return }
        let result = worker.acceptor.accept()
        if case .connection(let connection) = result { worker.state.admit(connection) }
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
        worker.beginRequest(seat)
        defer { worker.endRequest(seat) }
        deadline.begin(
            connection, isReading: true,
            nanoseconds: worker.configuration.readTimeout.nanoseconds)
        switch connection.opening(before: deadline) {
        case .request:
            serve(connection, isNew: isNew)
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

    private func serve(_ connection: Connection, isNew: Bool) {
        switch exchange.begin(connection) {
        case .whole: break
        case .brokenOff:
            endUnread()
            _ = exchange.end()
            worker.close(connection)
            return
        case .closed:
            endUnread()
            worker.close(connection, isStreamOpen: false)
            return
        }
        var request = exchange.parameters()
        let length = ContentLength(request.bytes(of: "CONTENT_LENGTH"))
        let maximumBytes = worker.configuration.maximumBodyBytes
        let body = exchange.readBody(length: length, maximumBytes: maximumBytes)
        if case .broken = body {
            endUnread()
            _ = exchange.end()
            worker.close(connection)
            return
        }
        guard deadline.end() else {
            timedOut()
            _ = exchange.end()
            worker.close(connection)
            return
        }

        let response: Response
        if case .complete(let bytes) = body {
            worker.counters.requests.increment()
            request.body = bytes
            response = worker.handler(request)
        } else {
            response = refuse(body)
        }

        deadline.begin(
            connection, isReading: false,
            nanoseconds: worker.configuration.writeTimeout.nanoseconds)
        let isSent = exchange.answer(response)
        var isKept = exchange.end() && isSent
        if case .refused = body {
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
