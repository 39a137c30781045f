import FastCGI
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@Suite struct ListenerTests {
    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    @Test(arguments: [0o660, 0o600, 0o666])
    func `the file has its mode`(wanted: UInt32) throws {
        let path = Server.freshPath()
        let listener = try Listener(path: path, mode: wanted)
        defer { unlink(path) }
        #expect(mode(path) == wanted)
        #expect(fcntl(listener.descriptor, F_GETFD) == FD_CLOEXEC)
        #expect(fcntl(listener.descriptor, F_GETFL) & O_NONBLOCK != 0)
    }

    @Test func `the file of a server that is gone is replaced`() throws {
        let path = Server.freshPath()
        defer { unlink(path) }
        for _ in 0..<3 {
            let server = try Server(path: path)
            #expect(try server.exchange(Records.request()).status == 200)
            server.worker.stop()
            #expect(server.hasEnded(within: 20))
            // It stays: by then it may be another's.
            #expect(mode(path) == 0o660)
        }
    }

    @Test func `a path that somebody listens on is refused, and goes on working`() throws {
        let server = try Server()
        #expect(throws: FastCGIError.addressInUse(server.path)) {
            try Listener(path: server.path)
        }
        #expect(try server.exchange(Records.request()).status == 200)
    }

    /// Its queue is full: it does not answer, but it is there.
    @Test func `a path with a full queue is refused`() throws {
        let path = Server.freshPath()
        defer { unlink(path) }
        let listener = try Listener(path: path, backlog: 0)
        let client = try Client(path: path)
        #expect(throws: FastCGIError.addressInUse(path)) { try Listener(path: path) }
        withExtendedLifetime((listener, client)) {}
    }

    @Test func `of many that start at once one gets the path`() throws {
        for _ in 0..<100 {
            let path = Server.freshPath()
            defer { unlink(path) }
            let listeners = Mutex<[Listener]>([])
            let group = DispatchGroup()
            for _ in 0..<4 {
                group.enter()
                Thread.detachNewThread {
                    if let listener = try? Listener(path: path) {
                        listeners.withLock { $0.append(listener) }
                    }
                    group.leave()
                }
            }
            group.wait()
            #expect(listeners.withLock(\.count) == 1)
        }
    }

    @Test func `what is no socket is left alone`() throws {
        let path = Server.freshPath()
        defer { unlink(path) }
        try Data("precious".utf8).write(to: URL(filePath: path))
        #expect(throws: FastCGIError.notASocket(path)) { try Listener(path: path) }
        #expect(try Data(contentsOf: URL(filePath: path)) == Data("precious".utf8))
    }

    @Test func `paths that cannot be`() {
        let long = "/tmp/" + String(repeating: "x", count: 99)
        #expect(throws: FastCGIError.pathTooLong(long)) { try Listener(path: long) }
        #expect(throws: FastCGIError.self) { try Listener(path: "/nowhere/at/all") }
        let longest = "/tmp/" + String(repeating: "x", count: 98)
        #expect(throws: Never.self) { try Listener(path: longest) }
        unlink(longest)
    }

    @Test func `only a listening unix socket can be inherited`() throws {
        let stream = Int32(SOCK_STREAM.rawValue)
        let unbound = socket(AF_UNIX, stream, 0)
        let network = socket(AF_INET, stream, 0)
        defer { for descriptor in [unbound, network] { close(descriptor) } }
        #expect(listen(network, 1) == 0)
        for descriptor in [-1, 9_999, STDERR_FILENO, unbound, network] {
            #expect(throws: FastCGIError.notAListener(descriptor)) {
                try Listener(inherited: descriptor)
            }
        }
    }

    @Test func `configurations out of range are refused`() throws {
        let path = Server.freshPath()
        defer { unlink(path) }
        let listener = try Listener(path: path)
        let changes: [@Sendable (inout WorkerConfiguration) -> Void] = [
            { $0.readTimeout = .zero }, { $0.writeTimeout = .seconds(-1) },
            { $0.drainTimeout = .seconds(100_000) }, { $0.maximumBodyBytes = -1 },
            { $0.heartbeat = Heartbeat(interval: .zero) {} },
        ]
        for change in changes {
            #expect(throws: FastCGIError.self) {
                try Worker(
                    listener: listener, on: TestLoop.shared, configuration: Server.configuration(change),
                    handler: Server.echo)
            }
        }
    }
}
