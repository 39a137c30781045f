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

    /// Nobody sleeps while there is no descriptor: who has a connection is served.
    @Test func `a shortage of descriptors stops nobody who is connected`() async {
        await #expect(processExitsWith: .success) {
            let server = try Server()
            let kept = try server.connect()
            #expect(try kept.exchange(Records.request(keep: true)).status == 200)
            let waiting = Client()
            let next = dup(STDERR_FILENO)
            close(next)
            var limit = rlimit(rlim_cur: rlim_t(next), rlim_max: rlim_t(next + 100))
            try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            try waiting.connect(path: server.path)
            try waiting.send(Records.request(keep: true))
            #expect(eventually { server.worker.statistics.descriptorShortages > 0 })
            let (answers, before) = (2_000, server.worker.statistics.descriptorShortages)
            let began = ContinuousClock.now
            for number in 0..<answers {
                let body = Array("\(number)".utf8)
                #expect(try kept.exchange(Records.request(body: body, keep: true)).body.suffix(body.count) == body[...])
            }
            // It is looked for again some times a second, and not with every request.
            let tries = server.worker.statistics.descriptorShortages - before
            #expect(tries <= Int(began.duration(to: .now) / .milliseconds(50)) + 1)
            limit.rlim_cur = limit.rlim_max
            try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            #expect(try waiting.answer().status == 200)
        }
    }

    /// Neither a thread nor a buffer: what the kernel has for them is not this process's.
    @Test func `2,000 idle connections cost descriptors only`() async {
        await #expect(processExitsWith: .success) {
            var limit = rlimit(rlim_cur: 8_192, rlim_max: 8_192)
            try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            let server = try Server()
            #expect(try server.exchange(Records.request()).status == 200)
            #expect(eventually { server.worker.statistics.connections == 0 })
            let before = Usage.now
            let clients = try (0..<2_000).map { _ in try server.connect() }
            for client in clients {
                #expect(try client.exchange(Records.request(keep: true)).status == 200)
            }
            let after = Usage.now
            #expect(server.worker.statistics.connections == 2_000)
            #expect(after.threads < before.threads + 20)
            // The clients are here as well: two descriptors and two small objects each.
            #expect((4_000..<4_020).contains(after.descriptors - before.descriptors))
            #expect(after.residentKiB - before.residentKiB < 8 * 1_024)
            #expect(try clients[1_234].exchange(Records.request(body: [7], keep: true)).body.last == 7)
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

/// What this process has of the system.
private struct Usage {
    let threads: Int
    let descriptors: Int
    let residentKiB: Int

    static var now: Usage {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        func field(_ name: String) -> Int {
            let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
            return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
        }
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0
        return Usage(threads: field("Threads"), descriptors: descriptors, residentKiB: field("VmRSS"))
    }
}
