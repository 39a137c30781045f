import FastCGI
import Foundation
import Glibc
import Testing

/// What concerns a whole process, each in one of its own.
@Suite struct ProcessTests {
    @Test func `without descriptors it waits, and goes on when there are some`() async {
        await #expect(processExitsWith: .success) {
            let server = try Server()
            let clients = (0..<20).map { _ in Client() }
            let next = dup(STDERR_FILENO)
            close(next)
            // A number past the limit is not given out: room for a few connections.
            var limit = rlimit(rlim_cur: rlim_t(next + 6), rlim_max: rlim_t(next + 6))
            try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            for client in clients {
                try client.connect(path: server.path)
                try client.send(Records.request(keep: true))
            }
            #expect(eventually { server.worker.statistics.descriptorShortages > 2 })
            #expect((1...6).contains(server.worker.statistics.connections))
            for client in clients {
                #expect(try client.answer().status == 200)
                client.close()
            }
            #expect(eventually { server.worker.statistics.connections == 0 })
            #expect(try server.exchange(Records.request()).status == 200)
        }
    }

    @Test func `libfcgi's signal handlers are not left in place`() async {
        await #expect(processExitsWith: .success) {
            let server = try Server()
            var action = sigaction()
            for signal in [SIGTERM, SIGUSR1] {
                sigaction(signal, nil, &action)
                #expect(unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 0)
            }
            sigaction(SIGPIPE, nil, &action)
            #expect(unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1)
            withExtendedLifetime(server) {}
        }
    }

    @Test func `signals are waited for`() async {
        await #expect(processExitsWith: .success) {
            let waiter = SignalWaiter([SIGUSR1, SIGUSR2])
            raise(SIGUSR2)
            #expect(waiter.wait() == SIGUSR2)
            raise(SIGUSR1)
            #expect(waiter.wait() == SIGUSR1)
        }
    }

    @Test func `the umask does not change the mode`() async {
        await #expect(processExitsWith: .success) {
            for mask: mode_t in [0o000, 0o077, 0o777] {
                umask(mask)
                let path = Server.freshPath()
                let listener = try Listener(path: path)
                var status = stat()
                #expect(lstat(path, &status) == 0 && status.st_mode & 0o777 == 0o660)
                unlink(path)
                withExtendedLifetime(listener) {}
            }
        }
    }
}
