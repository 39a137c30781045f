import BabyBasicsAPI
import FoundationEssentials

extension JSONValue {
    /// A number with one decimal at most. The outer nil is for what is no number, or none that a `Decimal` can hold, the inner one for any
    /// other number.
    var tenths: Tenths?? {
        guard let number else { return nil }
        if let tenths = Self.plain(number) { return .some(tenths) }
        // With an exponent or many digits: as rare as it is intricate.
        let array = Data([UInt8(ascii: "[")] + number + [UInt8(ascii: "]")])
        guard (try? JSONDecoder().decode([Decimal].self, from: array)) != nil else { return nil }
        return .some((try? JSONDecoder().decode([Tenths].self, from: array))?.first)
    }

    /// What nearly all numbers are: at most twelve digits, and perhaps one behind a point.
    private static func plain(_ number: ArraySlice<UInt8>) -> Tenths? {
        var digits = number
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative { digits.removeFirst() }
        var tenth = 0
        if let point = digits.firstIndex(of: UInt8(ascii: ".")) {
            guard point == digits.endIndex - 2 else { return nil }
            tenth = Int(digits[point + 1]) - 48
            digits = digits[..<point]
        }
        guard digits.count <= 12, digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
        let tenths = digits.reduce(0) { $0 * 10 + Int($1 - 48) } * 10 + tenth
        return Tenths(tenths: isNegative ? -tenths : tenths)
    }
}
