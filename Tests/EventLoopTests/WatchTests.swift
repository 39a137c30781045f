import EventLoop
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

/// Descriptors are told to those who watch them, and to nobody else.
struct WatchTests {
    private let loop = TestLoop.shared

    private func pair() throws -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
        return (ends[0], ends[1])
    }

    private func send(_ descriptor: Int32) { #expect(write(descriptor, "x", 1) == 1) }

    private func take(_ descriptor: Int32) {
        var byte: UInt8 = 0
        #expect(read(descriptor, &byte, 1) == 1)
    }

    @Test func `what can be read is told of until it is`() throws {
        let (near, far) = try pair()
        defer { for end in [near, far] { close(end) } }
        try loop.wait { [loop] in
            let calls = LoopBound(0, on: loop)
            let watch = try loop.watch(near, for: .reading) { readiness in
                #expect(readiness.canRead)
                calls.value += 1
                if calls.value == 3 { take(near) }
            }
            await loop.sleep(.milliseconds(5))
            #expect(calls.value == 0)
            send(far)
            await loop.sleep(.milliseconds(20))
            #expect(calls.value == 3)
            watch.cancel()
        }
    }

    @Test func `an arrival is told of once`() throws {
        let (near, far) = try pair()
        defer { for end in [near, far] { close(end) } }
        try loop.wait { [loop] in
            let calls = LoopBound(0, on: loop)
            let watch = try loop.watch(near, for: [.reading, .arrivals]) { _ in calls.value += 1 }
            for expected in 1...3 {
                send(far)
                await loop.sleep(.milliseconds(10))
                #expect(calls.value == expected)
            }
            watch.cancel()
        }
    }

    @Test func `room to write is told of when it is wanted`() throws {
        let (near, far) = try pair()
        defer { for end in [near, far] { close(end) } }
        try loop.wait { [loop] in
            let calls = LoopBound(0, on: loop)
            let watch = try loop.watch(near, for: .reading) { readiness in
                #expect(readiness.canWrite && !readiness.canRead)
                calls.value += 1
            }
            await loop.sleep(.milliseconds(5))
            #expect(calls.value == 0)
            watch.wait(for: [.reading, .writing, .arrivals])
            await loop.sleep(.milliseconds(10))
            #expect(calls.value == 1)
            watch.cancel()
        }
    }

    @Test func `a hang-up is ready for both`() throws {
        let (near, far) = try pair()
        defer { close(near) }
        try loop.wait { [loop] in
            await withCheckedContinuation { (told: CheckedContinuation<Void, Never>) in
                let box = LoopBound<Watch?>(nil, on: loop)
                box.value = try? loop.watch(near, for: .reading) { readiness in
                    #expect(readiness.canRead && readiness.canWrite)
                    box.value?.cancel()
                    box.value = nil
                    told.resume()
                }
                close(far)
            }
        }
    }

    /// Both are ready in one round; the one that comes first ends the other.
    @Test func `a watch that was cancelled is not called any more`() throws {
        let (near, far) = try pair()
        let (near2, far2) = try pair()
        defer { for end in [near, far, near2, far2] { close(end) } }
        try loop.wait { [loop] in
            let calls = LoopBound(0, on: loop)
            let watches = LoopBound<[Watch]>([], on: loop)
            for end in [near, near2] {
                let watch = try loop.watch(end, for: .reading) { _ in
                    calls.value += 1
                    for watch in watches.value { watch.cancel() }
                }
                watches.value.append(watch)
            }
            send(far)
            send(far2)
            await loop.sleep(.milliseconds(10))
            #expect(calls.value == 1)
            for watch in watches.value { watch.cancel() }
            watches.value = []
        }
    }

    /// The kernel has an event for a number that is closed and given to another in the same round.
    @Test func `an event of a descriptor whose number is used again finds nobody`() throws {
        let (near, far) = try pair()
        let (near2, far2) = try pair()
        let (quiet, quietFar) = try pair()
        defer { for end in [far, far2, quietFar] { close(end) } }
        try loop.wait { [loop] in
            let calls = LoopBound<[String]>([], on: loop)
            let watches = LoopBound<[Int32: Watch]>([:], on: loop)
            var open = [near, near2]
            for end in [near, near2] {
                watches.value[end] = try loop.watch(end, for: .reading) { _ in
                    calls.value.append("first")
                    let other = end == near ? near2 : near
                    // Its number, and its place among the watches, go to one on which nothing arrives.
                    watches.value[other]?.cancel()
                    #expect(dup2(quiet, other) == other)
                    watches.value[other] = try? loop.watch(other, for: .reading) { _ in
                        calls.value.append("successor")
                    }
                    take(end)
                }
            }
            send(far)
            send(far2)
            await loop.sleep(.milliseconds(20))
            #expect(calls.value == ["first"])
            for watch in watches.value.values { watch.cancel() }
            watches.value = [:]
            open.append(quiet)
            for end in open { close(end) }
        }
    }

    /// A watch that outlived its descriptor must not end its successor's.
    @Test func `cancelling late does not end the watch of the next one with that number`() throws {
        let (near, far) = try pair()
        let (next, nextFar) = try pair()
        defer { for end in [near, far, next, nextFar] { close(end) } }
        try loop.wait { [loop] in
            let calls = LoopBound(0, on: loop)
            let old = try loop.watch(near, for: .reading) { _ in }
            old.cancel()
            #expect(dup2(next, near) == near)
            let watch = try loop.watch(near, for: [.reading, .arrivals]) { _ in calls.value += 1 }
            old.cancel()
            send(nextFar)
            await loop.sleep(.milliseconds(10))
            #expect(calls.value == 1)
            watch.cancel()
        }
    }

    /// As libpq closes a socket whose peer is gone: nobody is told, and its number is the next one's.
    @Test(arguments: [true, false])
    func `a watch whose descriptor was closed behind its back takes nothing from the next one with that number`(
        isCancelled: Bool
    ) throws {
        let (near, far) = try pair()
        let (next, nextFar) = try pair()
        defer { for end in [near, far, next, nextFar] { close(end) } }
        try loop.wait { [loop] in
            let calls = LoopBound<[String]>([], on: loop)
            let old = try loop.watch(near, for: .reading) { _ in calls.value.append("old") }
            #expect(dup2(next, near) == near)
            let watch = try loop.watch(near, for: [.reading, .arrivals]) { _ in calls.value.append("new") }
            if isCancelled { old.cancel() } else { old.wait(for: [.reading, .writing]) }
            send(nextFar)
            await loop.sleep(.milliseconds(10))
            #expect(calls.value == ["new"])
            old.cancel()
            watch.cancel()
        }
    }

    @Test func `what can't be watched is refused`() throws {
        let file = open("/proc/self/stat", O_RDONLY)
        defer { close(file) }
        try loop.wait { [loop] in
            #expect(throws: SystemCallError.self) { try loop.watch(-1, for: .reading) { _ in } }
            #expect(throws: SystemCallError.self) { try loop.watch(file, for: .reading) { _ in } }
        }
    }

    /// More than one call of the kernel tells of.
    @Test func `hundreds that are ready at once are all served`() throws {
        let pairs = try (0..<200).map { _ in try pair() }
        defer { for (near, far) in pairs { for end in [near, far] { close(end) } } }
        try loop.wait { [loop] in
            let calls = LoopBound([Int](repeating: 0, count: pairs.count), on: loop)
            var watches: [Watch] = []
            for (number, (near, _)) in pairs.enumerated() {
                watches.append(try loop.watch(near, for: [.reading, .arrivals]) { _ in calls.value[number] += 1 })
            }
            for (_, far) in pairs { send(far) }
            await loop.sleep(.milliseconds(50))
            #expect(calls.value == [Int](repeating: 1, count: pairs.count))
            for watch in watches { watch.cancel() }
        }
    }
}
