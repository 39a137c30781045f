import Foundation

/// Chance that falls the same way at every run, on every machine and with every version of Swift (SplitMix64).
struct Dice {
    private var state: UInt64

    /// The same words, the same dice.
    init(_ words: String) {
        state = words.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    private mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// 0 up to 1, without it.
    mutating func unit() -> Double {
        Double(next() >> 11) / Double(1 << 53)
    }

    mutating func chance(_ probability: Double) -> Bool {
        unit() < probability
    }

    mutating func number(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound + unit() * (range.upperBound - range.lowerBound)
    }

    mutating func integer(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(unit() * Double(range.count))
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[integer(0...elements.count - 1)]
    }

    /// One of some, by their weights.
    mutating func pick<Element>(weighted elements: [(Element, Double)]) -> Element {
        var left = unit() * elements.reduce(0) { $0 + $1.1 }
        for (element, weight) in elements {
            left -= weight
            if left < 0 { return element }
        }
        return elements[elements.count - 1].0
    }

    /// A UUID of version 8: its bits are the maker's own.
    mutating func uuid() -> UUID {
        let high = next() & ~0xf000 | 0x8000
        let low = next() & ~(3 << 62) | 2 << 62
        let byte = { (word: UInt64, index: UInt64) in
            UInt8(truncatingIfNeeded: word >> (56 - 8 * index))
        }
        return UUID(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3),
                byte(high, 4), byte(high, 5), byte(high, 6), byte(high, 7),
                byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3),
                byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
            ))
    }
}
