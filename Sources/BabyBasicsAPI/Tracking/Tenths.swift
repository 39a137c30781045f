#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A number with at most one decimal, kept exactly: 33.3 stays 33.3.
public struct Tenths: Hashable, Comparable, Sendable {
    /// Ten times the number.
    public let tenths: Int

    public init(tenths: Int) {
        self.tenths = tenths
    }

    public init(_ whole: Int) { self.init(tenths: whole * 10) }

    public var isWhole: Bool { tenths.isMultiple(of: 10) }
    public var double: Double { Double(tenths) / 10 }

    public static func < (left: Self, right: Self) -> Bool { left.tenths < right.tenths }
}

extension Tenths: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    public init(integerLiteral value: Int) { self.init(tenths: value * 10) }

    /// Rounds to one decimal.
    public init(floatLiteral value: Double) { self.init(tenths: Int((value * 10).rounded())) }
}

extension Tenths: CustomStringConvertible {
    /// The number without more digits than it needs: `120`, `33.3`.
    public var description: String {
        let (whole, rest) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
        return "\(tenths < 0 ? "-" : "")\(whole)\(rest == 0 ? "" : ".\(rest)")"
    }
}

extension Tenths: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = Self(exactly: try container.decode(Decimal.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "not a number with at most one decimal")
        }
        self = value
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(
            Decimal(
                sign: tenths < 0 ? .minus : .plus, exponent: -1,
                significand: Decimal(tenths.magnitude)))
    }

    /// Nil for more decimals, and for what is larger than a million million.
    private init?(exactly number: Decimal) {
        guard number.isFinite, number.magnitude <= 1_000_000_000_000 else { return nil }
        let scaled = number * 10
        guard let tenths = Int(scaled.description) else { return nil }
        self.init(tenths: tenths)
    }
}
