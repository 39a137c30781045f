/// A decimal number of any length, exactly: `sign × digits × 10^exponent`, without zeros at either end of the digits.
struct ReferenceDecimal: Equatable {
    var isNegative: Bool
    /// 0 to 9 each; empty for zero.
    var digits: [UInt8]
    /// Nil where the number is too large for anything here.
    var exponent: Int?

    /// Takes a number of RFC 8259 from the front; nil where there is none.
    init?(taking rest: inout ArraySlice<UInt8>) {
        isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest.removeFirst() }
        let whole = Self.digits(&rest)
        guard !whole.isEmpty, whole.count == 1 || whole[0] != 0 else { return nil }
        var fraction: [UInt8] = []
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            fraction = Self.digits(&rest)
            guard !fraction.isEmpty else { return nil }
        }
        var power: Int? = 0
        if let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") {
            rest.removeFirst()
            var isSmall = false
            if let sign = rest.first, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(sign) {
                isSmall = sign == UInt8(ascii: "-")
                rest.removeFirst()
            }
            let digits = Self.digits(&rest)
            guard !digits.isEmpty else { return nil }
            let significant = digits.drop { $0 == 0 }
            power =
                significant.count > 12
                ? (isSmall ? -1_000_000_000_000 : nil)
                : significant.reduce(0) { $0 * 10 + Int($1) } * (isSmall ? -1 : 1)
        }
        self.digits = whole + fraction
        exponent = power.map { $0 - fraction.count }
        normalize()
    }

    private mutating func normalize() {
        digits = Array(digits.drop { $0 == 0 })
        while digits.last == 0 {
            digits.removeLast()
            exponent = exponent.map { $0 + 1 }
        }
        if digits.isEmpty {
            isNegative = false
            exponent = 0
        }
    }

    private static func digits(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
        var digits: [UInt8] = []
        while let byte = rest.first, (48...57).contains(byte) {
            digits.append(byte - 48)
            rest.removeFirst()
        }
        return digits
    }

    /// Ten times the number, rounded half away from zero, if that has at most 15 digits.
    var tenths: Int? {
        if digits.isEmpty { return 0 }
        guard let exponent, digits.count + exponent + 1 <= 15 else { return nil }
        let kept = digits.count + exponent + 1
        var value = digits.prefix(max(0, kept)).reduce(0) { $0 * 10 + Int($1) }
        for _ in digits.count..<max(digits.count, kept) { value *= 10 }
        if digits.indices.contains(kept), digits[kept] >= 5 { value += 1 }
        return isNegative ? -value : value
    }
}
