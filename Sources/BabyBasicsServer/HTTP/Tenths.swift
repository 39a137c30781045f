import BabyBasicsAPI
import JSON

extension JSONValue {
    /// A number rounded to one decimal, half away from zero, and whether it was that already; nil for anything else. What has more than
    /// fourteen digits then becomes the largest number of fourteen.
    var roundedToTenths: (value: Tenths, isExact: Bool)? {
        guard let number else { return nil }
        let parts = number.split(maxSplits: 1) { $0 | 0x20 == UInt8(ascii: "e") }
        let point = parts[0].firstIndex(of: UInt8(ascii: ".")) ?? parts[0].endIndex - 1
        let digits = parts[0].filter { (48...57).contains($0) }.drop { $0 == 48 }
        guard !digits.isEmpty else { return (0, true) }
        // How many of the digits, or zeros behind them, stand up to the first decimal.
        let kept = digits.count + point - parts[0].endIndex + 2 + (parts.count == 2 ? exponent(parts[1]) : 0)
        var tenths = 99_999_999_999_999
        if kept <= 14 {
            tenths = digits.prefix(max(0, kept)).reduce(0) { $0 * 10 + Int($1 - 48) }
            for _ in digits.count..<max(digits.count, kept) { tenths *= 10 }
            if kept >= 0, kept < digits.count, digits.dropFirst(kept).first ?? 48 >= 53 { tenths += 1 }
        }
        let isExact = kept >= 0 && kept <= 14 && digits.dropFirst(kept).allSatisfy { $0 == 48 }
        return (Tenths(tenths: number.first == UInt8(ascii: "-") ? -tenths : tenths), isExact)
    }

    /// No body is long enough to make a larger one mean something.
    private func exponent(_ text: ArraySlice<UInt8>) -> Int {
        let limit = text.first == UInt8(ascii: "-") ? -10_000_000 : 10_000_000
        return Int(String(decoding: text, as: UTF8.self)).map { max(-10_000_000, min($0, 10_000_000)) } ?? limit
    }
}
