import Glibc

/// A clock that never jumps, whatever happens to the time of day.
public enum Monotonic {
    /// In nanoseconds.
    public static var now: UInt64 {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }
}

extension Duration {
    /// In whole nanoseconds, 0 for what is negative.
    package var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        return seconds < 0 || attoseconds < 0
            ? 0 : UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }
}
