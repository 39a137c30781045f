import BabyBasicsAPI
import FoundationEssentials

// Identifiers and times stand many times in an answer: they are written digit by digit, without a string between.

extension Identifier: JSONWritable {
    func write(to json: inout JSONWriter) {
        let digits = uuid.uuid
        withUnsafeBytes(of: digits) { bytes in
            json.raw(CollectionOfOne(UInt8(ascii: "\"")))
            for index in 0..<16 {
                if index == 4 || index == 6 || index == 8 || index == 10 {
                    json.raw(CollectionOfOne(UInt8(ascii: "-")))
                }
                json.raw(CollectionOfOne(hexadecimal(bytes[index] >> 4)))
                json.raw(CollectionOfOne(hexadecimal(bytes[index] & 15)))
            }
            json.raw(CollectionOfOne(UInt8(ascii: "\"")))
        }
    }

    private func hexadecimal(_ value: UInt8) -> UInt8 { value < 10 ? 48 + value : 87 + value }
}

extension Timestamp: JSONWritable {
    func write(to json: inout JSONWriter) {
        let date = utcDate
        let (year, month, day) = date.components
        let ofDay = Int((microsecondsSince1970 - Int64(date.daysSince1970) * 86_400_000_000) / 1000)
        json.raw(CollectionOfOne(UInt8(ascii: "\"")))
        digits(year, 4, to: &json)
        json.raw(CollectionOfOne(UInt8(ascii: "-")))
        digits(month, 2, to: &json)
        json.raw(CollectionOfOne(UInt8(ascii: "-")))
        digits(day, 2, to: &json)
        json.raw(CollectionOfOne(UInt8(ascii: "T")))
        digits(ofDay / 3_600_000, 2, to: &json)
        json.raw(CollectionOfOne(UInt8(ascii: ":")))
        digits(ofDay / 60_000 % 60, 2, to: &json)
        json.raw(CollectionOfOne(UInt8(ascii: ":")))
        digits(ofDay / 1000 % 60, 2, to: &json)
        json.raw(CollectionOfOne(UInt8(ascii: ".")))
        digits(ofDay % 1000, 3, to: &json)
        json.raw("Z\"".utf8)
    }

    private func digits(_ value: Int, _ width: Int, to json: inout JSONWriter) {
        var divisor = width == 4 ? 1000 : width == 3 ? 100 : 10
        while divisor > 0 {
            json.raw(CollectionOfOne(UInt8(48 + value / divisor % 10)))
            divisor /= 10
        }
    }
}
