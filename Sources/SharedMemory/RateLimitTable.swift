import Synchronization

/// Counts the requests of users, minute by minute, in memory that the processes of a host share.
///
/// One atomic word holds a user's minute: no lock is taken, so a process that is killed leaves nothing behind. A user has eight slots to be
/// in, which they share with others. Slots of minutes that are over are used again. Where all eight count for the minute, the one with the
/// fewest requests makes room: that user begins anew. That happens now and then from about 20,000 users a minute on, and it can only let
/// through too much, as can a clock that goes backwards by minutes.
@safe public final class RateLimitTable: Sendable {
    /// 1 MiB. Of a file, another size needs another name: two versions may run at the same time.
    static let bytes = 1 << 20
    private static let ways = 8
    private static let buckets = bytes / 8 / ways
    /// The highest limit that a slot can count to.
    public static let highestLimit = Slot.highestCount

    private let memory: MappedFile
    // `unsafe`: it is mapped for as long as `memory` lives, and touched by atomic operations alone.
    private nonisolated(unsafe) let slots: UnsafeMutablePointer<Atomic<UInt64>>

    /// - Parameter path: a file that the processes share, made anew where there is none of the right size; nil for memory of this process
    ///   alone.
    public init(path: String?) throws(SharedMemoryError) {
        memory = try MappedFile(path: path, bytes: Self.bytes)
        unsafe slots = memory.start.bindMemory(
            to: Atomic<UInt64>.self, capacity: Self.buckets * Self.ways)
    }

    /// Counts a request.
    ///
    /// - Parameters:
    ///   - user: the bits of the user's id.
    ///   - minute: whole minutes since any moment that all processes agree on.
    ///   - limit: at most `highestLimit`.
    /// - Returns: the number of this request in the minute; more than the limit for one that is refused, which is not counted.
    public func count(user: UInt128, minute: Int, limit: Int = 100) -> Int {
        precondition((1...Self.highestLimit).contains(limit))
        let place = Place(user)
        while true {
            let (index, word) = find(place, minute)
            let slot = Slot(word)
            let isOwn = slot.tag == place.tag && slot.isCurrent(at: minute)
            if isOwn, slot.count >= limit { return limit + 1 }
            // A minute that is newer by another process's clock stays: the request is one of that.
            let counted =
                isOwn
                ? Slot(tag: slot.tag, minute: slot.minute, count: slot.count + 1)
                : Slot(tag: place.tag, minute: Slot.bits(of: minute), count: 1)
            if replace(word, at: index, by: counted.word) { return counted.count }
        }
    }

    /// Takes back a request that `count` accepted in this minute, if that is still the user's minute.
    public func refund(user: UInt128, minute: Int) {
        let place = Place(user)
        while true {
            let (index, word) = find(place, minute)
            let slot = Slot(word)
            guard slot.tag == place.tag, slot.minute == Slot.bits(of: minute), slot.count > 0 else {
                return
            }
            // At 0 the slot stays the user's. Were it free, two requests at once might take two slots.
            let less = Slot(tag: slot.tag, minute: slot.minute, count: slot.count - 1)
            if replace(word, at: index, by: less.word) { return }
        }
    }

    /// The user's slot, or else the one to be used for them.
    ///
    /// All who look for the same user at the same time choose the same slot, unless the bucket is full, so that only one of them gets it.
    private func find(_ place: Place, _ minute: Int) -> (index: Int, word: UInt64) {
        var ownOld: (Int, UInt64)?
        var free: (Int, UInt64)?
        var fewest: (index: Int, word: UInt64, count: Int)?
        for index in place.bucket * Self.ways..<(place.bucket + 1) * Self.ways {
            let word = unsafe slots[index].load(ordering: .relaxed)
            let slot = Slot(word)
            let isCurrent = slot.isCurrent(at: minute)
            if slot.tag == place.tag {
                if isCurrent { return (index, word) }
                if word != 0, ownOld == nil { ownOld = (index, word) }
            }
            if !isCurrent {
                if free == nil { free = (index, word) }
            } else if slot.count < fewest?.count ?? .max {
                fewest = (index, word, slot.count)
            }
        }
        if let found = ownOld ?? free { return found }
        // Bucket full: evict the slot with the fewest requests.
        return fewest.map { ($0.index, $0.word) } ?? (place.bucket * Self.ways, 0)
    }

    /// False where the slot holds something else by now. Relaxed is enough: nothing else is read by the order of these words.
    private func replace(_ old: UInt64, at index: Int, by new: UInt64) -> Bool {
        unsafe slots[index].compareExchange(expected: old, desired: new, ordering: .relaxed)
            .exchanged
    }

    /// Where a user is counted: 14 bits choose the bucket and 37 tell users in it apart. Two of 100,000 who are active in the same minute
    /// share a slot once in 450,000 minutes.
    struct Place: Equatable {
        let bucket: Int
        let tag: UInt64

        init(_ user: UInt128) {
            // Ids are made by the server, so nobody chooses who shares a bucket with whom.
            let hash = Self.mixed(
                UInt64(truncatingIfNeeded: user)
                    ^ Self.mixed(UInt64(truncatingIfNeeded: user >> 64)))
            bucket = Int(hash % UInt64(RateLimitTable.buckets))
            tag = hash >> (64 - UInt64(Slot.tagBits))
        }

        /// SplitMix64's finalizer (Steele, Lea and Flood, 2014): every bit of the argument changes half of the result's.
        private static func mixed(_ bits: UInt64) -> UInt64 {
            var bits = bits &+ 0x9e37_79b9_7f4a_7c15
            bits = (bits ^ bits >> 30) &* 0xbf58_476d_1ce4_e5b9
            bits = (bits ^ bits >> 27) &* 0x94d0_49bb_1331_11eb
            return bits ^ bits >> 31
        }
    }

    /// A slot's word: a tag of 37 bits, the last 20 bits of the minute, and a count of 7 bits. 0 is one that was never used.
    struct Slot: Equatable {
        static let tagBits = 37
        static let highestCount = 127
        private static let minuteBits = 20
        /// How far another process's clock may be ahead. What seems further ahead is old, or no slot's word at all.
        private static let tolerance = 2

        let tag: UInt64
        /// About two years, then it begins anew.
        let minute: UInt64
        let count: Int

        init(tag: UInt64, minute: UInt64, count: Int) {
            self.tag = tag
            self.minute = minute
            self.count = count
        }

        init(_ word: UInt64) {
            tag = word >> 27
            minute = word >> 7 & (1 << Self.minuteBits - 1)
            count = Int(word & 127)
        }

        var word: UInt64 { tag << 27 | minute << 7 | UInt64(count) }

        static func bits(of minute: Int) -> UInt64 {
            UInt64(truncatingIfNeeded: minute) & (1 << minuteBits - 1)
        }

        /// Whether it counts for this minute, or for one of the next few, which have begun by another clock.
        func isCurrent(at now: Int) -> Bool {
            let ahead = (minute &- Self.bits(of: now)) & (1 << Self.minuteBits - 1)
            return word != 0 && ahead <= UInt64(Self.tolerance)
        }
    }
}
