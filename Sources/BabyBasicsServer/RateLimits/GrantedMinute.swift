import BabyBasicsAPI
import FoundationEssentials
import SharedMemory

/// A request that was granted, or refused, without asking the database.
struct GrantedRequest {
    /// `number(of:)` of the user.
    let user: UInt64
    let count: RequestCount
}

/// A user's minute, as this host knows it, in 64 bits.
struct Minute {
    /// Milliseconds since 1970.
    let end: UInt64
    /// By the database, 0–127: by all hosts, and what is unused included.
    let counted: Int
    /// Granted to this host, not used yet, 0–127.
    let unused: Int

    init(end: UInt64, counted: Int, unused: Int) {
        self.end = end
        self.counted = min(max(counted, 0), 127)
        self.unused = min(max(unused, 0), self.counted)
    }

    /// - Parameter since: when it began.
    init(since: Timestamp, counted: Int, unused: Int) {
        let end = since.microsecondsSince1970 + RequestCount.window
        self.init(end: UInt64(max(0, end) / 1000), counted: counted, unused: unused)
    }

    init(_ value: UInt64) {
        self.init(end: value >> 14, counted: Int(value >> 7 & 127), unused: Int(value & 127))
    }

    func entry(_ user: UInt64) -> SharedTable.Entry {
        .init(key: user, value: end << 14 | UInt64(counted) << 7 | UInt64(unused))
    }

    func isRunning(_ now: Timestamp) -> Bool {
        now.microsecondsSince1970 < Int64(end) * 1000
    }

    /// With more, or fewer, left to be used.
    func adding(_ requests: Int) -> Minute {
        Minute(end: end, counted: counted, unused: unused + requests)
    }

    /// The user's requests so far, other hosts' unused ones among them.
    var count: RequestCount { RequestCount(since: since, requests: counted - unused) }

    var refusal: RequestCount { RequestCount(since: since, requests: RequestCount.limit + 1) }

    private var since: Timestamp {
        Timestamp(microsecondsSince1970: Int64(end) * 1000 - RequestCount.window)
    }
}

/// 64 bits that stand for a user: never 0, and spread evenly, however the identifiers were made.
func number(of user: UserID) -> UInt64 {
    let halves = withUnsafeBytes(of: user.uuid.uuid) {
        ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
    return max(1, mixed(halves.0 ^ mixed(halves.1)))
}

/// SplitMix64's finalizer (Steele, Lea and Flood, 2014): every bit of the argument changes half of the result's.
private func mixed(_ bits: UInt64) -> UInt64 {
    var bits = bits &+ 0x9e37_79b9_7f4a_7c15
    bits = (bits ^ bits >> 30) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ bits >> 27) &* 0x94d0_49bb_1331_11eb
    return bits ^ bits >> 31
}
