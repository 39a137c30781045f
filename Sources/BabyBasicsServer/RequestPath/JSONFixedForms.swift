import BabyBasicsAPI
import FoundationEssentials

// Identifiers and times stand many times in an answer: they are written digit by digit, without a string between.

extension Identifier: JSONWritable {
    func write(to json: inout JSONWriter) {
        withUnsafeBytes(of: uuid.uuid) { bytes in
            json.append(atMost: 38) { target in
                var at = 1
                target[0] = UInt8(ascii: "\"")
                for index in 0..<16 {
                    if index == 4 || index == 6 || index == 8 || index == 10 {
                        target[at] = UInt8(ascii: "-")
                        at += 1
                    }
                    target[at] = hexadecimal(bytes[index] >> 4)
                    target[at + 1] = hexadecimal(bytes[index] & 15)
                    at += 2
                }
                target[37] = UInt8(ascii: "\"")
                return 38
            }
        }
    }
}

extension Timestamp: JSONWritable {
    func write(to json: inout JSONWriter) {
        let date = utcDate
        let (year, month, day) = date.components
        let ofDay = Int((microsecondsSince1970 - Int64(date.daysSince1970) * 86_400_000_000) / 1000)
        json.append(atMost: 26) { target in
            // "2026-02-25T12:00:00.000Z" with its quotes
            target[0] = UInt8(ascii: "\"")
            digits(year, 4, target + 1)
            target[5] = UInt8(ascii: "-")
            digits(month, 2, target + 6)
            target[8] = UInt8(ascii: "-")
            digits(day, 2, target + 9)
            target[11] = UInt8(ascii: "T")
            digits(ofDay / 3_600_000, 2, target + 12)
            target[14] = UInt8(ascii: ":")
            digits(ofDay / 60_000 % 60, 2, target + 15)
            target[17] = UInt8(ascii: ":")
            digits(ofDay / 1000 % 60, 2, target + 18)
            target[20] = UInt8(ascii: ".")
            digits(ofDay % 1000, 3, target + 21)
            target[24] = UInt8(ascii: "Z")
            target[25] = UInt8(ascii: "\"")
            return 26
        }
    }

    private func digits(_ value: Int, _ width: Int, _ target: UnsafeMutablePointer<UInt8>) {
        var rest = value
        for index in stride(from: width - 1, through: 0, by: -1) {
            target[index] = UInt8(48 + rest % 10)
            rest /= 10
        }
    }
}
