import EventLoop
import TestSupport
import Testing

/// Another thread that touches what belongs to a loop would race with it: the program stops instead.
struct WrongThreadTests {
    @Test func `a value of a loop is of no other thread`() async {
        await #expect(processExitsWith: .failure) {
            let value = LoopBound(1, on: try EventLoop())
            _ = value.value
        }
        await #expect(processExitsWith: .failure) {
            let value = LoopBound(1, on: TestLoop.start())
            value.value = 2
        }
    }

    @Test func `timers and watches are made on the loop alone`() async {
        await #expect(processExitsWith: .failure) { TestLoop.start().after(.seconds(1)) {} }
        await #expect(processExitsWith: .failure) { _ = try TestLoop.start().watch(0, for: .reading) { _ in } }
    }

    @Test func `a loop does not wait for itself`() async {
        await #expect(processExitsWith: .failure) {
            let loop = TestLoop.start()
            try loop.wait { loop.sync {} }
        }
    }

    @Test func `on its own loop all of it works`() async {
        await #expect(processExitsWith: .success) {
            let loop = TestLoop.start()
            let value = LoopBound(1, on: loop)
            try loop.wait {
                value.value += 1
                loop.after(.zero) { value.value += 1 }
                await loop.sleep(.milliseconds(1))
            }
            #expect(loop.sync { value.value } == 3)
        }
    }
}
