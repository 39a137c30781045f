import CEpoll
import Glibc

/// What a watch waits for.
public struct Interest: OptionSet, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let reading = Interest(rawValue: 1)
    public static let writing = Interest(rawValue: 2)
    /// Tells of each arrival once, instead of as long as something is there.
    public static let arrivals = Interest(rawValue: 4)

    var epoll: UInt32 {
        var events: UInt32 = 0
        if contains(.reading) { events |= EPOLLIN.rawValue | EPOLLRDHUP.rawValue }
        if contains(.writing) { events |= EPOLLOUT.rawValue }
        if contains(.arrivals) { events |= EPOLLET.rawValue }
        return events
    }
}

/// What a descriptor is ready for. A hang-up is ready for both: the next call tells.
public struct Readiness: Sendable {
    public let canRead: Bool
    public let canWrite: Bool
    /// The peer says no more: after what is there comes the end.
    public let endsThere: Bool

    init(epoll events: UInt32) {
        let isOver = events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0
        endsThere = isOver || events & EPOLLRDHUP.rawValue != 0
        canRead = isOver || events & EPOLLIN.rawValue != 0
        canWrite = isOver || events & EPOLLOUT.rawValue != 0
    }
}

/// A descriptor that a loop looks after. For the loop's thread alone.
public final class Watch {
    let descriptor: CInt
    let action: (Readiness) -> Void
    var token: UInt64 = 0
    private var loop: EventLoop?

    init(descriptor: CInt, loop: EventLoop, action: @escaping (Readiness) -> Void) {
        self.descriptor = descriptor
        self.loop = loop
        self.action = action
    }

    /// Waits for something else from now on.
    public func wait(for interest: Interest) { loop?.change(self, to: interest) }

    /// Ends the watch; `action` is not called again. More than once is once.
    public func cancel() {
        loop?.remove(self)
        loop = nil
    }
}

/// The watches of a loop by their tokens.
///
/// A token is a place and how often that place was given away: an event of a watch that is gone finds nobody, even
/// when its descriptor's number belongs to another by then.
struct WatchTable {
    private var watches: [Watch?] = []
    private var uses: [UInt32] = []
    private var free: [Int] = []
    /// By their descriptors' numbers: what the kernel knows by a number is the watch that was added last.
    ///
    /// A library may close a descriptor behind its watch's back, as libpq does. Its number is soon another's, whose watch must stay.
    var latest: [CInt: UInt64] = [:]

    func isLatest(_ watch: Watch) -> Bool { latest[watch.descriptor] == watch.token }

    mutating func insert(_ watch: Watch) -> UInt64 {
        let place: Int
        if let last = free.popLast() {
            place = last
        } else {
            place = watches.count
            watches.append(nil)
            uses.append(0)
        }
        watches[place] = watch
        uses[place] &+= 1
        return UInt64(uses[place]) << 32 | UInt64(place)
    }

    func find(_ token: UInt64) -> Watch? {
        let place = Int(token & 0xffff_ffff)
        guard place < watches.count, UInt64(uses[place]) == token >> 32 else { return nil }
        return watches[place]
    }

    mutating func remove(_ token: UInt64) {
        guard find(token) != nil else { return }
        let place = Int(token & 0xffff_ffff)
        watches[place] = nil
        free.append(place)
    }
}
