import Glibc

/// A process that computes hashes, one at a time: the other end of `HashingService`. It ends with this value, and with this process.
final class HashingProcess: Sendable {
    private let socket: CInt
    let identifier: pid_t

    /// - Parameters:
    ///   - command: a program and what it is to be called with, its own name first.
    ///   - patience: the longest wait for an answer.
    init(_ command: HashingCommand, patience: Duration) throws(HashingProcessError) {
        // Each message comes whole, and the end of one of us is the end of what the other reads.
        let type = CInt(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
        var ends: [CInt] = [-1, -1]
        guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else {
            throw HashingProcessError("socketpair", errno)
        }
        defer { close(ends[1]) }
        do throws(HashingProcessError) {
            identifier = try command.start(speakingTo: ends[1])
        } catch {
            close(ends[0])
            throw error
        }
        socket = ends[0]
        let (seconds, attoseconds) = patience.components
        var limit = timeval(
            tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
        _ = unsafe setsockopt(
            socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        close(socket)
        // It has nothing to lose; and it may not be able to end by itself.
        kill(identifier, SIGKILL)
        while waitpid(identifier, nil, 0) < 0, errno == EINTR {}
    }

    /// Waits for its answer. After an error the process is of no use any more.
    func answer(_ job: HashingJob) throws(HashingProcessError) -> String {
        let message = job.message
        guard unsafe send(socket, message, message.count, CInt(MSG_NOSIGNAL)) > 0 else {
            throw HashingProcessError("send", errno)
        }
        var bytes = [UInt8](repeating: 0, count: HashingJob.room)
        var count = 0
        repeat {
            count = unsafe recv(socket, &bytes, bytes.count, 0)
        } while count < 0 && errno == EINTR
        guard count >= 0 else { throw HashingProcessError("recv", errno) }
        let answer = String(decoding: bytes.prefix(count), as: UTF8.self)
        guard job.isAnswered(by: answer) else {
            throw HashingProcessError("recv", count == 0 ? ECONNRESET : EBADMSG)
        }
        return answer
    }
}

/// There is no process, or it does not answer.
struct HashingProcessError: Error, CustomStringConvertible {
    let call: String
    let code: CInt

    init(_ call: String, _ code: CInt) {
        self.call = call
        self.code = code
    }

    /// It had time enough.
    var isTimeout: Bool { code == EAGAIN && call == "recv" }

    var description: String { unsafe "\(call): \(String(cString: strerror(code)))" }
}
