/// What a session has cost since it was handed out.
public struct SessionUse: Sendable, Equatable {
    /// From sending statements to the last of their answers, in nanoseconds.
    public var nanoseconds: UInt64 = 0
    /// Times that something was sent and answered.
    public var roundTrips = 0
    /// For how long the thread waited until the pool had a session for it, in nanoseconds.
    public var waitedNanoseconds: UInt64 = 0

    public init() {}

    public static func += (total: inout SessionUse, other: SessionUse) {
        total.nanoseconds &+= other.nanoseconds
        total.roundTrips &+= other.roundTrips
        total.waitedNanoseconds &+= other.waitedNanoseconds
    }
}

extension SessionUse {
    /// Counts a round trip, from `start` (`Monotonic.now`) to now.
    mutating func countRoundTrip(since start: UInt64) {
        nanoseconds &+= Monotonic.now &- start
        roundTrips &+= 1
    }
}
