import BabyBasicsAPI
import JSON

extension JSONValue {
    /// A number that has at most one decimal and fourteen digits with it, exactly; nil for anything else.
    var tenths: Tenths? {
        guard let number else { return nil }
        let parts = number.split(maxSplits: 1) { $0 | 0x20 == UInt8(ascii: "e") }
        let mantissa = parts[0]
        let point = mantissa.firstIndex(of: UInt8(ascii: ".")) ?? mantissa.endIndex - 1
        var power = point - mantissa.endIndex + 1
        var digits = Array(mantissa.filter { (48...57).contains($0) }.drop { $0 == 48 })
        while digits.last == 48 {
            digits.removeLast()
            power += 1
        }
        guard !digits.isEmpty else { return 0 }
        if parts.count == 2 {
            // No body is long enough to make a larger one mean something.
            guard let exponent = Int(String(decoding: parts[1], as: UTF8.self)),
                (-10_000_000...10_000_000).contains(exponent)
            else { return nil }
            power += exponent
        }
        guard power >= -1, digits.count + power < 14 else { return nil }
        let written = digits + Array(repeating: 48, count: power + 1)
        let tenths = written.reduce(0) { $0 * 10 + Int($1 - 48) }
        return Tenths(tenths: number.first == UInt8(ascii: "-") ? -tenths : tenths)
    }
}
