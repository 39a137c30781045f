import EventLoop
import Foundation
import Synchronization
import TestSupport
import Testing

/// Timers never come early, and come in their order.
struct TimerTests {
    private let loop = TestLoop.shared

    @Test func `they are called in the order of their moments`() throws {
        let order = LoopBound<[Int]>([], on: loop)
        try loop.wait { [loop] in
            let start = Monotonic.now
            for number in (0..<20).shuffled() {
                loop.at(start + UInt64(number) * 1_000_000) { order.value.append(number) }
            }
            await loop.sleep(.milliseconds(60))
            #expect(order.value == Array(0..<20))
        }
    }

    @Test func `a moment that has passed is due at once`() throws {
        try loop.wait { [loop] in
            await suspend { task in loop.at(0) { task.resume() } }
            await suspend { task in loop.after(.seconds(-1)) { task.resume() } }
        }
    }

    @Test func `none is early`() throws {
        try loop.wait { [loop] in
            for milliseconds in [0, 1, 3, 7, 20] {
                let start = Monotonic.now
                await loop.sleep(.milliseconds(milliseconds))
                #expect(Monotonic.now - start >= UInt64(milliseconds) * 1_000_000)
            }
        }
    }

    @Test func `a cancelled one is not called`() throws {
        try loop.wait { [loop] in
            let calls = LoopBound(0, on: loop)
            let timers = (0..<10).map { number in loop.after(.milliseconds(number)) { calls.value += 1 } }
            for timer in timers {
                #expect(!timer.isDue)
                timer.cancel()
                #expect(timer.isDue)
            }
            await loop.sleep(.milliseconds(30))
            #expect(calls.value == 0)
        }
    }

    /// How everything periodic is made.
    @Test func `a timer may set others and cancel others`() throws {
        try loop.wait { [loop] in
            let calls = LoopBound<[String]>([], on: loop)
            let victim = loop.after(.milliseconds(4)) { calls.value.append("victim") }
            loop.after(.milliseconds(1)) {
                calls.value.append("first")
                victim.cancel()
                loop.after(.milliseconds(1)) {
                    calls.value.append("second")
                    loop.after(.zero) { calls.value.append("third") }
                }
            }
            await loop.sleep(.milliseconds(50))
            #expect(calls.value == ["first", "second", "third"])
        }
    }

    /// One that is always due again would keep the loop from everything else.
    @Test func `a timer that sets itself again leaves room for the others`() throws {
        let loop = TestLoop.start()
        defer { loop.stop() }
        let isOver = LoopBound(false, on: loop)
        @Sendable func again() {
            if !isOver.value { loop.after(.zero) { again() } }
        }
        loop.task { again() }
        for _ in 0..<20 { #expect(loop.sync { 1 } == 1) }
        loop.sync { isOver.value = true }
    }

    @Test func `many sleepers wake up, each in its time`() throws {
        let order = LoopBound<[Int]>([], on: loop)
        try loop.wait { [loop] in
            await withTaskGroup { group in
                for number in (0..<500).shuffled() {
                    group.addTask {
                        await loop.sleep(.milliseconds(number % 5 * 20 + 10))
                        order.value.append(number % 5)
                    }
                }
            }
            #expect(order.value.count == 500)
        }
        let woken = try loop.wait { order.value }
        // Busy as the machine may be, nobody of 10 ms comes after somebody of 90 ms who slept from the same moment on.
        #expect(woken.first == 0 && woken.last == 4)
    }
}
