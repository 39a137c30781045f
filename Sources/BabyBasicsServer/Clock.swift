public import BabyBasicsAPI
import Glibc

/// The time of day. Tests move it; production's never is.
public protocol Clock: Sendable {
    /// How far this clock is ahead of the machine's. The database's own clock is asked where several hosts must agree, and moved by as much.
    var offset: Duration { get }
    /// The present, to the microsecond.
    func moment() -> Timestamp
}

extension Clock {
    public func moment() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(
            microsecondsSince1970: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
        ).adding(offset)
    }

    /// The present, to the millisecond that the wire shows.
    func now() -> Timestamp { moment().truncatedToMilliseconds }
}

/// The machine's clock.
public struct SystemClock: Clock {
    public init() {}
    public var offset: Duration { .zero }
}
