import EventLoop
import Foundation
import Synchronization
import TestSupport
import Testing

/// Tasks run on the loop's thread, one step at a time.
struct TaskTests {
    @Test func `a task and what it calls run on the loop`() throws {
        let loop = TestLoop.start()
        defer { loop.stop() }
        #expect(!loop.isCurrent)
        let places = try loop.wait {
            let before = loop.isCurrent
            await Task.yield()
            async let child = isOn(loop)
            return [before, loop.isCurrent, await isOn(loop), await child]
        }
        #expect(places == [true, true, true, true])
    }

    @Test func `a task comes back to its loop from wherever it was resumed`() throws {
        let loop = TestLoop.start()
        defer { loop.stop() }
        let isBack = try loop.wait {
            await suspend { task in Thread.detachNewThread { task.resume() } }
            return loop.isCurrent
        }
        #expect(isBack)
    }

    /// In the order in which they came, whichever thread they came from.
    @Test func `tasks begin in order`() throws {
        let loop = TestLoop.start()
        defer { loop.stop() }
        let order = LoopBound<[Int]>([], on: loop)
        for number in 0..<100 { loop.task { order.value.append(number) } }
        try loop.wait { for number in 100..<200 { loop.task { order.value.append(number) } } }
        try loop.wait {}
        #expect(try loop.wait { order.value } == Array(0..<200))
    }

    @Test func `tasks that are ready take turns`() throws {
        let loop = TestLoop.start()
        defer { loop.stop() }
        let order = LoopBound<[Int]>([], on: loop)
        try loop.wait {
            await withTaskGroup { group in
                for number in 0..<3 {
                    group.addTask {
                        for _ in 0..<3 {
                            order.value.append(number)
                            await Task.yield()
                        }
                    }
                }
            }
        }
        #expect(try loop.wait { order.value } == [0, 1, 2, 0, 1, 2, 0, 1, 2])
    }

    @Test func `tasks from many threads are all run`() throws {
        let loop = TestLoop.start()
        defer { loop.stop() }
        let counts = LoopBound([Int](repeating: 0, count: 8), on: loop)
        let threads = DispatchGroup()
        for thread in 0..<8 {
            threads.enter()
            Thread.detachNewThread {
                for _ in 0..<2_000 { loop.task { counts.value[thread] += 1 } }
                threads.leave()
            }
        }
        threads.wait()
        #expect(try loop.wait { counts.value } == [Int](repeating: 2_000, count: 8))
    }

    /// A loop that has nothing to do sleeps in the kernel, and not until some timer.
    @Test func `an idle loop is woken`() throws {
        let loop = TestLoop.start()
        defer { loop.stop() }
        for _ in 0..<50 {
            usleep(2_000)
            #expect(loop.sync { 7 } == 7)
        }
    }

    @Test func `what throws, throws`() throws {
        struct Stop: Error {}
        #expect(throws: Stop.self) { try EventLoop.run { _ in throw Stop() } }
        #expect(try EventLoop.run { loop in loop.isCurrent })
    }

    @Test func `stopping ends the loop, and its tasks end their steps`() throws {
        let loop = try EventLoop()
        let steps = Atomic(0)
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            loop.run()
            ended.signal()
        }
        loop.task {
            loop.stop()
            await Task.yield()
            steps.add(1, ordering: .relaxed)
        }
        #expect(ended.wait(timeout: .now() + 20) == .success)
        #expect(steps.load(ordering: .relaxed) == 1)
        #expect(!loop.isCurrent)
    }
}

private func isOn(_ loop: EventLoop) async -> Bool { loop.isCurrent }
