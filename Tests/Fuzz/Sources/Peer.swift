import Glibc
import Logging

@testable import BabyBasicsServer
@testable import FastCGI

/// A worker that serves one connection at a time, on the thread of whoever asks, and everything it did.
///
/// All is real but for the threads: the same steps are taken, one after another, so that an input always does the same.
final class Peer {
    // libFuzzer calls a target on one thread alone.
    nonisolated(unsafe) static let shared = Peer()

    private struct Seen {
        var request: Request
        var response: Response
    }

    private let worker: Worker
    private let thread: WorkerThread
    private var seen: [Seen] = []

    private init() {
        do {
            var configuration = WorkerConfiguration()
            configuration.refusal = Server.refuse
            let path = "/tmp/fuzz-\(getpid()).socket"
            let listener = try Listener(path: path)
            unlink(path)
            worker = try Worker(
                listener: listener, configuration: configuration,
                logger: Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() }
            ) { Peer.shared.answer($0) }
            thread = WorkerThread(worker: worker, deadline: Deadline(), turn: Turn())
            // Whatever opens a descriptor for good does it now.
            _ = LoneServer.respond(Request(parameters: []))
        } catch {
            fail("\(error)")
        }
    }

    private func answer(_ request: Request) -> Response {
        let response = LoneServer.respond(request)
        seen.append(Seen(request: request, response: response))
        return response
    }

    /// Sends bytes and the end of them, lets the worker do all it will, and compares with the reference.
    ///
    /// As web servers do, it sends a request when the one before has been answered: libfcgi reads ahead, and what it has read of
    /// another request goes with the first.
    func converse(_ bytes: [UInt8]) {
        let free = freeDescriptor()
        seen = []
        let before = worker.statistics
        let expected = ReferenceConversation(bytes)
        let ends = expected.exchanges.filter(\.isKept).map(\.bytes.upperBound)
        let ours = connect()
        var received: [UInt8] = []
        for (start, end) in zip([0] + ends, ends) {
            guard send(bytes[start..<end], ours) else { fail("cannot be sent") }
            step()
            received += receive(ours)
        }
        let isAllSent = send(bytes[(ends.last ?? 0)...], ours)
        shutdown(ours, CInt(SHUT_WR))
        while worker.statistics.connections > 0 { step() }
        received += receive(ours)
        close(ours)
        guard isAllSent else { return }
        check(freeDescriptor() == free, "a descriptor is left open")
        check(worker.statistics.requestsInHand == 0, "a request is still in hand")

        let refusals = worker.statistics.refused - before.refused
        compare(with: expected, refusals: refusals)
        compare(received, refusals: refusals)
    }

    private func compare(with expected: ReferenceConversation, refusals: Int) {
        let whole = expected.exchanges.filter { $0.refusal == nil }
        let refused = expected.exchanges.count - whole.count
        check(seen.count >= whole.count, "\(seen.count) of \(whole.count) requests arrived")
        check(refusals >= refused, "a request was not refused")
        if expected.isWhole {
            check(seen.count == whole.count && refusals == refused, "more arrived than was sent")
        }
        for (served, sent) in zip(seen, whole) {
            check(served.request.body == sent.body, "a body arrived changed")
            for variable in sent.variables {
                let name = variable.prefix { $0 != UInt8(ascii: "=") }
                // The first of a name counts.
                let value = sent.variables.first { $0.prefix { $0 != UInt8(ascii: "=") } == name }?
                    .dropFirst(name.count + 1)
                guard let text = String(validating: name, as: UTF8.self) else { continue }
                let arrived = served.request.bytes(of: text)
                check(
                    arrived.map(Array.init) == value.map(Array.init), "\(text) arrived changed")
            }
        }
    }

    /// Every request that was served has its answer, whole and in order, and there is nothing beside them.
    private func compare(_ received: [UInt8], refusals: Int) {
        guard let answers = ReferenceAnswer.all(in: received) else {
            fail("the answers are no FastCGI: \(received)")
        }
        check(answers.count == seen.count + refusals, "\(answers.count) answers")
        for (answer, served) in zip(answers, seen) {
            check(answer.status == served.response.status, "the status arrived changed")
            check(answer.body == served.response.body, "the answer's body arrived changed")
        }
        for answer in answers.dropFirst(seen.count) {
            check([400, 413].contains(answer.status), "refused with \(answer.status)")
        }
    }

    // MARK: The socket

    /// A connection that the worker has in its poller; our end of it.
    private func connect() -> CInt {
        var pair: [CInt] = [-1, -1]
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        check(socketpair(AF_UNIX, kind, 0, &pair) == 0, "socketpair: \(errno)")
        for end in pair {
            var size: CInt = 1 << 20
            let length = socklen_t(MemoryLayout<CInt>.size)
            setsockopt(end, SOL_SOCKET, SO_SNDBUF, &size, length)
        }
        let connection = Connection(descriptor: pair[1])
        worker.state.admit(connection)
        check(worker.poller.park(connection, isNew: true), "epoll_ctl: \(errno)")
        return pair[0]
    }

    /// What one thread of the worker does between two waits.
    private func step() {
        guard case .connection(let connection) = worker.poller.wait(leaving: worker.backlog) else {
            return
        }
        thread.take(connection, isNew: false)
    }

    /// False where the socket does not hold so many bytes.
    private func send(_ bytes: ArraySlice<UInt8>, _ descriptor: CInt) -> Bool {
        let sent = bytes.withUnsafeBytes {
            Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_DONTWAIT | MSG_NOSIGNAL))
        }
        return sent == bytes.count
    }

    /// All that is there.
    private func receive(_ descriptor: CInt) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, CInt(MSG_DONTWAIT))
            // Closed with bytes unread is a reset, after all that was sent.
            guard count > 0 else { return bytes }
            bytes += buffer.prefix(count)
        }
    }

    private func freeDescriptor() -> CInt {
        let descriptor = dup(0)
        close(descriptor)
        return descriptor
    }
}
