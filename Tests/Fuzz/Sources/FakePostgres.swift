import Foundation
import Glibc
import Synchronization

/// As much of a PostgreSQL server as prepared statements of one `bigint` need, that misbehaves as its input says.
///
/// A thread for each connection. A statement answers its parameter, so that each answer says whose it is.
final class FakePostgres: Sendable {
    let directory: String
    private let listener: CInt
    private let script = Mutex(Input([]))

    init() {
        directory = "/tmp/fuzz-postgres-\(getpid())"
        mkdir(directory, 0o700)
        listener = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = "\(directory)/.s.PGSQL.5432"
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        unlink(path)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        check(result == 0 && listen(listener, 16) == 0, "listen: \(errno)")
        Thread.detachNewThread { [self] in
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { continue }
                Thread.detachNewThread { ServerConnection(descriptor, decide: self.decide).serve() }
            }
        }
    }

    /// What comes from now on.
    func play(_ input: Input) { script.withLock { $0 = input } }

    @Sendable private func decide() -> UInt8 { script.withLock { $0.byte() } }
}

/// One connection, as the server has it.
private final class ServerConnection {
    private let descriptor: CInt
    private let decide: @Sendable () -> UInt8
    private var received: [UInt8] = []
    private var output: [UInt8] = []
    private var statements: [String: String] = [:]
    private var current = ""
    private var parameter: [UInt8] = []
    private var status = UInt8(ascii: "I")
    private var skips = false
    private var isOver = false

    init(_ descriptor: CInt, decide: @escaping @Sendable () -> UInt8) {
        self.descriptor = descriptor
        self.decide = decide
    }

    func serve() {
        defer { close(descriptor) }
        guard let size = take(4).map(number), take(size - 4) != nil else { return }
        put("R", [0, 0, 0, 0])
        put("K", [0, 0, 0, 1, 0, 0, 0, 1])
        put("Z", [status])
        send()
        while !isOver, let type = take(1)?.first, let size = take(4).map(number), let body = take(size - 4) {
            answer(type, body)
        }
    }

    private func answer(_ type: UInt8, _ body: [UInt8]) {
        switch type {
        case UInt8(ascii: "S"):
            skips = false
            put("Z", [status])
            // Some answers come later than others, and together with them.
            if decide() % 4 != 1 { send() }
        case UInt8(ascii: "X"): isOver = true
        case _ where skips: break
        case UInt8(ascii: "P"):
            let texts = body.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
            let (name, text) = (String(decoding: texts[0], as: UTF8.self), String(decoding: texts[1], as: UTF8.self))
            if mishap() { return }
            statements[name] = text
            put("1", [])
        case UInt8(ascii: "B"):
            let texts = body.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
            let name = String(decoding: texts[1], as: UTF8.self)
            guard let text = statements[name] else { return error("26000") }
            current = text
            parameter = text.contains("$1") ? Array(body.dropLast(4).suffix(8)) : []
            put("2", [])
        case UInt8(ascii: "D"):
            if parameter.isEmpty { return put("n", []) }
            put("T", [0, 1, 0x6e, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 20, 0, 8, 255, 255, 255, 255, 0, 1])
        case UInt8(ascii: "E"): execute()
        default: isOver = true
        }
    }

    private func execute() {
        if mishap() { return }
        if status == UInt8(ascii: "E"), !current.hasPrefix("ROLLBACK"), !current.hasPrefix("COMMIT") {
            return error("25P02")
        }
        var tag = "SELECT 1"
        if current.hasPrefix("BEGIN") {
            status = UInt8(ascii: "T")
            tag = "BEGIN"
        } else if current.hasPrefix("COMMIT") || current.hasPrefix("ROLLBACK") {
            tag = status == UInt8(ascii: "E") ? "ROLLBACK" : String(current.prefix { $0 != " " })
            status = UInt8(ascii: "I")
        } else if current.hasPrefix("DEALLOCATE") {
            let name = String(current.dropFirst(11))
            if name == "ALL" { statements = [:] } else { statements[name] = nil }
            tag = "DEALLOCATE"
        }
        if !parameter.isEmpty { put("D", [0, 1, 0, 0, 0, 8] + parameter) }
        put("C", Array(tag.utf8) + [0])
    }

    /// Whether something went wrong instead.
    private func mishap() -> Bool {
        switch decide() {
        case 200..<215: error("42P01")
        case 215..<225: error("26000")
        case 225..<235: error("0A000")
        case 235..<240:
            error("57P01", severity: "FATAL")
            isOver = true
            send()
        case 240..<245: isOver = true
        case 245..<248:
            // In the middle of a message.
            put("D", [0, 1, 0, 0, 0, 8, 1, 2, 3])
            output.removeLast(2)
            send()
            isOver = true
        case 248..<250:
            // Silent for longer than a connection is given.
            send()
            usleep(60_000)
            return false
        default: return false
        }
        return true
    }

    private func error(_ state: String, severity: String = "ERROR") {
        let fields = [("S", severity), ("V", severity), ("C", state), ("M", "no")]
        put("E", fields.flatMap { Array("\($0)\($1)".utf8) + [0] } + [0])
        skips = true
        if status == UInt8(ascii: "T") { status = UInt8(ascii: "E") }
    }

    private func put(_ type: Character, _ body: [UInt8]) {
        let size = body.count + 4
        output += [type.asciiValue ?? 0, 0, 0, UInt8(size >> 8), UInt8(size & 255)] + body
    }

    /// In pieces of any size.
    private func send() {
        var rest = output[...]
        output = []
        while !rest.isEmpty {
            let size = decide()
            let piece = rest.prefix(size < 128 ? rest.count : Int(size) - 127)
            let count = piece.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
            guard count > 0 else {
                isOver = true
                return
            }
            rest = rest.dropFirst(count)
            if size > 250 { usleep(200) }
        }
    }

    private func take(_ count: Int) -> [UInt8]? {
        guard count >= 0 else { return nil }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while received.count < count {
            // Who waits has everything.
            if !hasInput { send() }
            let got = recv(descriptor, &buffer, buffer.count, 0)
            guard got > 0 else { return nil }
            received += buffer.prefix(got)
        }
        defer { received.removeFirst(count) }
        return Array(received.prefix(count))
    }

    private var hasInput: Bool {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&poll, 1, 0) > 0
    }

    private func number(_ bytes: [UInt8]) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
