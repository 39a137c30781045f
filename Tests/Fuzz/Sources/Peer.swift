import EventLoop
import Glibc
import Logging
import Synchronization

@testable import BabyBasicsServer
@testable import FastCGI

/// A worker and its peer, and everything that the worker did. The peer waits until the loop has nothing more to do, so that an
/// input always does the same.
final class Peer: Sendable {
    static let shared = Peer { await LoneServer.answer($0) }

    private struct Seen: Sendable {
        var request: Request
        var response: Response
    }

    /// What the worker's handler was asked, and answered.
    private final class Log: Sendable {
        let seen = Mutex<[Seen]>([])
    }

    let worker: Worker
    private let path: String
    private let log = Log()

    init(answer: @escaping @Sendable (Request) async -> Response) {
        do {
            path = "/tmp/fuzz-\(getpid())-\(UInt32.random(in: 0 ... .max)).socket"
            worker = try Worker(
                listener: try Listener(path: path), on: LoneServer.loop,
                logger: Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() }
            ) { [log] request in
                let response = await answer(request)
                log.seen.withLock { $0.append(Seen(request: request, response: response)) }
                return response
            }
        } catch {
            fail("\(error)")
        }
        LoneServer.loop.task { [worker] in try? await worker.serve() }
        let file = path
        files.withLock { $0.append(file) }
        atexit { files.withLock { for file in $0 { unlink(file) } } }
        // Whatever opens a descriptor for good does it now.
        _ = LoneServer.respond(Request(parameters: []))
    }

    /// Sends bytes and the end of them, lets the worker do all it will, and compares with the reference.
    ///
    /// As web servers do, it sends a request when the one before has been answered: libfcgi reads ahead, and what it has read of
    /// another request goes with the first.
    func converse(_ bytes: [UInt8]) {
        let free = freeDescriptor()
        log.seen.withLock { $0 = [] }
        let before = worker.statistics
        let expected = ReferenceConversation(bytes)
        let ends = expected.exchanges.filter(\.isKept).map(\.bytes.upperBound)
        let ours = connect()
        var received: [UInt8] = []
        for (number, (start, end)) in zip([0] + ends, ends).enumerated() {
            guard send(bytes[start..<end], ours) else { fail("cannot be sent") }
            receive(number + 1, from: ours, after: &received)
        }
        let isAllSent = send(bytes[(ends.last ?? 0)...], ours)
        shutdown(ours, CInt(SHUT_WR))
        waitForConnections(0)
        received += receive(ours)
        close(ours)
        guard isAllSent else { return }
        check(freeDescriptor() == free, "a descriptor is left open")
        check(worker.statistics.requestsInFlight == 0, "a request is still in flight")

        let refusals = worker.statistics.refused - before.refused
        let seen = log.seen.withLock { $0 }
        compare(seen, with: expected, refusals: refusals)
        compare(received, with: seen, refusals: refusals)
    }

    private func compare(_ seen: [Seen], with expected: ReferenceConversation, refusals: Int) {
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
    private func compare(_ received: [UInt8], with seen: [Seen], refusals: Int) {
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

    // MARK: The loop

    /// Waits until the loop has done what it can with what it was sent.
    func settle() {
        // What arrives while the first is run is found before the second.
        LoneServer.loop.sync {}
        LoneServer.loop.sync {}
        while worker.statistics.requestsInFlight > 0 { LoneServer.loop.sync {} }
    }

    func waitForConnections(_ count: Int) {
        for _ in 0..<10_000 {
            settle()
            if worker.statistics.connections == count { return }
            usleep(1_000)
        }
        fail("\(worker.statistics.connections) connections, not \(count)")
    }

    // MARK: The socket

    /// A connection that the worker has accepted; our end of it.
    func connect() -> CInt {
        let before = worker.statistics.connections
        let ours = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var size: CInt = 1 << 20
        setsockopt(ours, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<CInt>.size))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(ours, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        check(result == 0, "connect: \(errno)")
        waitForConnections(before + 1)
        return ours
    }

    /// False where the socket does not take so many bytes.
    func send(_ bytes: ArraySlice<UInt8>, _ descriptor: CInt) -> Bool {
        let sent = bytes.withUnsafeBytes {
            Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_DONTWAIT | MSG_NOSIGNAL))
        }
        return sent == bytes.count
    }

    /// All that is there.
    func receive(_ descriptor: CInt) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, CInt(MSG_DONTWAIT))
            // Closed with bytes unread is a reset, after all that was sent.
            guard count > 0 else { return bytes }
            bytes += buffer.prefix(count)
        }
    }

    /// Waits for this many answers in all.
    func receive(_ count: Int, from descriptor: CInt, after received: inout [UInt8]) {
        for _ in 0..<10_000 {
            settle()
            received += receive(descriptor)
            if ReferenceAnswer.all(in: received)?.count == count { return }
            // One of more than 64 KiB is read by a thread.
            usleep(200)
        }
        fail("no answer")
    }

    private func freeDescriptor() -> CInt {
        let descriptor = dup(0)
        close(descriptor)
        return descriptor
    }
}

/// To be removed when the process ends.
private let files = Mutex<[String]>([])
