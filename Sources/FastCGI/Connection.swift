import EventLoop
import Glibc
import Logging

/// A connection from nginx: idle, or with one request that is arriving, served or answered.
///
/// Unchecked because the loop's thread alone uses it: every way in is an action or a task of the loop.
final class Connection: @unchecked Sendable {
    private enum Phase {
        case idle
        /// Some of a request is here.
        case arriving(deadline: UInt64)
        /// A request that does not fit into the socket waits for a thread to read it.
        case queued
        /// A thread reads it.
        case reading(deadline: UInt64)
        /// Its thread is about to find that its time is over.
        case expired
        case serving
        /// Some of the answer has yet to go, from an offset on.
        case answering([UInt8], from: Int, deadline: UInt64, Afterwards)
        /// Answered; what the peer still sends is thrown away until it hangs up.
        case lingering(deadline: UInt64)
        case closed
    }

    /// What follows an answer.
    private enum Afterwards {
        case nextRequest
        case close
        /// The peer may still be sending: closed at once, its next write would fail, and it would never read its answer.
        case linger
    }

    private let descriptor: CInt
    private let worker: Worker
    private var watch: Watch?
    private var phase = Phase.idle
    /// Answers the request that is served.
    private var handling: Task<Void, Never>?
    /// Something has arrived behind a request, be it the end, and is not told of again.
    private var hasMore = false

    init(_ descriptor: CInt, of worker: Worker) {
        self.descriptor = descriptor
        self.worker = worker
    }

    /// Returns whether the loop looks after it.
    func begin() -> Bool {
        watch = try? worker.loop.watch(descriptor, for: [.reading, .arrivals]) { [self] readiness in
            if readiness.canWrite, case .answering = phase { sendRest() }
            if readiness.endsThere {
                hasMore = true
                handling?.cancel()
            }
            if readiness.canRead { look() }
        }
        return watch != nil
    }

    /// Looks at what has arrived, and serves the request when it is whole.
    func look() {
        switch phase {
        case .idle, .arriving: break
        case .lingering:
            if worker.peeked.discard(from: descriptor) { close() }
            return
        case .queued, .reading, .expired, .serving, .answering, .closed:
            hasMore = true
            return
        }
        switch worker.peeked.look(at: descriptor) {
        case .nothing: break
        case .closed:
            if case .arriving = phase { worker.counters.broken.increment() }
            close()
        case .brokenOff: broken()
        case .bytes(.garbage, _):
            worker.counters.broken.increment()
            worker.logger.warning("connection does not begin with a FastCGI request")
            close()
        case .bytes(.incomplete, isFull: true): readApart()
        case .bytes(.incomplete, isFull: false):
            if case .idle = phase { phase = .arriving(deadline: deadline(worker.configuration.readTimeout)) }
        case .bytes(.whole, _):
            take(worker.reader.read(from: descriptor, maximumBodyBytes: worker.configuration.maximumBodyBytes))
        }
    }

    private func deadline(_ timeout: Duration) -> UInt64 { Monotonic.now + timeout.nanoseconds }

    private func take(_ outcome: RequestReader.Outcome) {
        switch outcome {
        case .request(let request, let head): serve(request, head)
        case .refused(let refusal, let head):
            worker.counters.refused.increment()
            worker.logger.warning("request refused", metadata: ["reason": "\(refusal)"])
            phase = .serving
            answer(worker.configuration.refusal(refusal), head.id, .linger)
        case .broken(let isClosed):
            worker.counters.broken.increment()
            worker.logger.debug("request broken off by its peer")
            close(isClosed: isClosed)
        }
    }

    private func serve(_ request: Request, _ head: RequestHead) {
        phase = .serving
        worker.counters.requests.increment()
        worker.counters.inFlight.increment()
        handling = worker.loop.task { [self] in
            let response = await worker.handler(request)
            handling = nil
            worker.counters.inFlight.decrement()
            answer(response, head.id, head.keepsConnection ? .nextRequest : .close)
        }
    }

    private func readApart() {
        phase = .queued
        worker.loop.task { [self] in
            let outcome = await worker.largeRequests.read(from: descriptor, on: worker.loop) {
                if case .queued = phase { phase = .reading(deadline: deadline(worker.configuration.readTimeout)) }
            }
            switch phase {
            case .reading: take(outcome)
            case .expired: close()
            default: break
            }
        }
    }

    private func answer(_ response: Response, _ requestID: UInt16, _ afterwards: Afterwards) {
        guard case .serving = phase else { return }
        worker.writer.write(response, requestID: requestID)
        let bytes = worker.writer.bytes
        guard let sent = send(bytes, from: 0) else { return broken() }
        if sent == bytes.count { return end(afterwards) }
        phase = .answering(bytes, from: sent, deadline: deadline(worker.configuration.writeTimeout), afterwards)
        watch?.wait(for: [.reading, .writing, .arrivals])
    }

    private func sendRest() {
        guard case .answering(let bytes, let start, let deadline, let afterwards) = phase else { return }
        guard let sent = send(bytes, from: start) else { return broken() }
        if sent == bytes.count {
            watch?.wait(for: [.reading, .arrivals])
            end(afterwards)
        } else {
            phase = .answering(bytes, from: sent, deadline: deadline, afterwards)
        }
    }

    /// Sends as much as the socket takes. Returns where the rest begins, nil where the peer is gone.
    private func send(_ bytes: [UInt8], from start: Int) -> Int? {
        var position = start
        while position < bytes.count {
            let result = unsafe bytes.withUnsafeBytes {
                unsafe Glibc.send(
                    descriptor, $0.baseAddress.map { unsafe $0 + position }, $0.count - position,
                    CInt(MSG_NOSIGNAL | MSG_DONTWAIT))
            }
            if result >= 0 {
                position += result
            } else if errno == EAGAIN {
                break
            } else if errno != EINTR {
                return nil
            }
        }
        return position
    }

    private func end(_ afterwards: Afterwards) {
        switch afterwards {
        case .nextRequest where !worker.drainIsOver:
            phase = .idle
            if hasMore {
                hasMore = false
                look()
            }
        case .nextRequest, .close: close()
        case .linger:
            shutdown(descriptor, CInt(SHUT_WR))
            phase = .lingering(deadline: deadline(worker.configuration.readTimeout))
            watch?.wait(for: .reading)
        }
    }

    private func broken() {
        worker.counters.broken.increment()
        close()
    }

    func checkDeadline(at now: UInt64) {
        switch phase {
        case .arriving(let deadline) where now >= deadline, .lingering(let deadline) where now >= deadline,
            .answering(_, _, let deadline, _) where now >= deadline:
            timedOut()
            close()
        case .reading(let deadline) where now >= deadline:
            // Its thread finds the end of the stream then.
            timedOut()
            phase = .expired
            shutdown(descriptor, CInt(SHUT_RD))
        default: break
        }
    }

    private func timedOut() {
        worker.counters.timedOut.increment()
        worker.logger.warning("peer took too long")
    }

    /// At the end of a drain.
    func endUnlessServed() {
        switch phase {
        case .idle, .arriving, .lingering: close()
        case .queued, .reading: shutdown(descriptor, CInt(SHUT_RD))
        case .expired, .serving, .answering, .closed: break
        }
    }

    private func close(isClosed: Bool = false) {
        if case .closed = phase { return }
        phase = .closed
        watch?.cancel()
        watch = nil
        if !isClosed { _ = Glibc.close(descriptor) }
        worker.forget(self)
    }
}
