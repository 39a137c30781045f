import EventLoop

/// What the database has cost a request.
public struct DatabaseUse: Sendable, Equatable {
    /// From sending statements to the last of their answers, in nanoseconds.
    public var nanoseconds: UInt64 = 0
    /// Times that something was sent and answered.
    public var roundTrips = 0
    /// For how long a task waited until the pool had a connection for it, in nanoseconds.
    public var waitedNanoseconds: UInt64 = 0

    public init(waitedNanoseconds: UInt64 = 0) { self.waitedNanoseconds = waitedNanoseconds }

    public static func += (total: inout DatabaseUse, other: DatabaseUse) {
        total.nanoseconds &+= other.nanoseconds
        total.roundTrips &+= other.roundTrips
        total.waitedNanoseconds &+= other.waitedNanoseconds
    }
}

extension DatabaseUse {
    /// Counts a round trip, from `start` (`Monotonic.now`) to now.
    mutating func countRoundTrip(since start: UInt64) {
        nanoseconds &+= Monotonic.now &- start
        roundTrips &+= 1
    }
}
