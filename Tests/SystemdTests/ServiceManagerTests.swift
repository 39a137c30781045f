import Foundation
import Systemd
import Testing

/// What arrives at the socket that systemd would listen at. One after the other: the environment is the process's.
@Suite(.serialized)
struct ServiceManagerTests {
    @Test("Each state is told in sd_notify(3)'s words")
    func states() throws {
        let socket = try NotifySocket()
        ServiceManager.tell(.ready, status: "answering requests")
        #expect(socket.next() == "READY=1\nSTATUS=answering requests")
        ServiceManager.tell(.alive)
        #expect(socket.next() == "WATCHDOG=1")
        ServiceManager.tell(.starting(.seconds(60)))
        #expect(socket.next() == "EXTEND_TIMEOUT_USEC=60000000")
        ServiceManager.tell(.stopping)
        #expect(socket.next() == "STOPPING=1")
    }

    @Test("Without systemd there is nobody to tell and nothing to inherit")
    func alone() {
        unsetenv("NOTIFY_SOCKET")
        ServiceManager.tell(.ready)
        #expect(ServiceManager.listeners.isEmpty)
        #expect(ServiceManager.watchdog == nil)
    }

    @Test("The watchdog's limit is the unit's, if it is meant for this process")
    func watchdog() {
        setenv("WATCHDOG_USEC", "20000000", 1)
        defer {
            unsetenv("WATCHDOG_USEC")
            unsetenv("WATCHDOG_PID")
        }
        #expect(ServiceManager.watchdog == .seconds(20))
        setenv("WATCHDOG_PID", "1", 1)
        #expect(ServiceManager.watchdog == nil)
    }

    @Test("Sockets are inherited if they are meant for this process")
    func listeners() {
        setenv("LISTEN_FDS", "2", 1)
        setenv("LISTEN_PID", "1", 1)
        defer {
            unsetenv("LISTEN_FDS")
            unsetenv("LISTEN_PID")
        }
        #expect(ServiceManager.listeners.isEmpty)
    }
}

private final class NotifySocket {
    private let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)

    init() throws {
        // An abstract name: no file to remove.
        let name = "baby-basics-\(UUID().uuidString)"
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0[1...].copyBytes(from: name.utf8) }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + 1 + name.utf8.count)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        try #require(result == 0)
        setenv("NOTIFY_SOCKET", "@\(name)", 1)
    }

    deinit {
        unsetenv("NOTIFY_SOCKET")
        close(descriptor)
    }

    func next() -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }
}
