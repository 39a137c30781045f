public import BabyBasicsAPI
public import Postgres

/// PostgreSQL's `numeric`: digits of base 10,000, the first of which counts 10,000 to the power of `weight`.
extension Tenths: PostgresValue {
    public static var oid: TypeOID { .numeric }

    public func encode(into encoder: inout ValueEncoder) {
        var (whole, tenth) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
        var digits: [Int16] = tenth == 0 ? [] : [Int16(tenth * 1000)]
        var weight: Int16 = -1
        while whole > 0 {
            digits.insert(Int16(whole % 10_000), at: 0)
            whole /= 10_000
            weight += 1
        }
        encoder.append(bigEndian: Int16(digits.count))
        encoder.append(bigEndian: digits.isEmpty ? 0 : weight)
        encoder.append(bigEndian: UInt16(tenths < 0 ? 0x4000 : 0))
        encoder.append(bigEndian: Int16(1))  // decimals that are shown
        for digit in digits { encoder.append(bigEndian: digit) }
    }

    public static func decode(_ bytes: RawSpan, type: TypeOID) throws(ValueError) -> Tenths {
        let count = Int(try bytes.bigEndian(Int16.self, at: 0))
        let weight = Int(try bytes.bigEndian(Int16.self, at: 2))
        let sign = try bytes.bigEndian(UInt16.self, at: 4)
        guard sign == 0 || sign == 0x4000 else { throw ValueError("not a number") }
        guard weight < 4 else { throw ValueError("too large") }
        var tenths = 0
        for index in 0..<count {
            let digit = Int(try bytes.bigEndian(Int16.self, at: 8 + 2 * index))
            let power = weight - index
            if power >= 0 {
                tenths += (0..<power).reduce(digit * 10) { value, _ in value * 10_000 }
            } else if power == -1, digit.isMultiple(of: 1000) {
                tenths += digit / 1000
            } else if digit != 0 {
                throw ValueError("more than one decimal")
            }
        }
        return Tenths(tenths: sign == 0 ? tenths : -tenths)
    }
}

extension Tenths: PostgresArrayElement {
    /// `numeric[]`.
    public static var arrayOID: TypeOID { TypeOID(rawValue: 1231) }
}
