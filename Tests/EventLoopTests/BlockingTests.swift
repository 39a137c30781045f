import EventLoop
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

/// What blocks runs on a thread of its own, and the loop goes on.
struct BlockingTests {
    private let loop = TestLoop.shared

    @Test func `the loop goes on meanwhile`() throws {
        let door = DispatchSemaphore(value: 0)
        let value = try loop.wait { [loop] in
            loop.after(.milliseconds(5)) { door.signal() }
            let value = try await loop.blocking {
                #expect(!loop.isCurrent)
                return door.wait(timeout: .now() + 20) == .success
            }
            #expect(loop.isCurrent)
            return value
        }
        #expect(value)
    }

    @Test func `many at once get their own values`() throws {
        let values = try loop.wait { [loop] in
            try await withThrowingTaskGroup(of: (Int, Int).self) { group in
                for number in 0..<50 {
                    group.addTask { (number, try await loop.blocking { number * number }) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }
        #expect(values.count == 50)
        #expect(values.allSatisfy { $0.1 == $0.0 * $0.0 })
    }

    @Test func `a thread has its name, and takes no signals`() throws {
        var before = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &before)
        let result = Mutex<(name: String, isBlocked: Bool)>(("", false))
        let thread = try DedicatedThread(stackBytes: 256 << 10) {
            DedicatedThread.setName("a-test-thread")
            var mask = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &mask)
            let name = (try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)) ?? ""
            result.withLock { $0 = (name, sigismember(&mask, SIGTERM) == 1 && sigismember(&mask, SIGSEGV) == 0) }
        }
        thread.join()
        #expect(result.withLock { $0.name } == "a-test-thread\n")
        #expect(result.withLock { $0.isBlocked })
        var after = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &after)
        for signal in 1..<32 { #expect(sigismember(&after, Int32(signal)) == sigismember(&before, Int32(signal))) }
    }
}
