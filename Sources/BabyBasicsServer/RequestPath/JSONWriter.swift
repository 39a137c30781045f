import BabyBasicsAPI
import FoundationEssentials

/// Writes JSON into one buffer, in one pass. Foundation's encoder builds a tree first, which costs ten times as much on a page of events.
struct JSONWriter {
    private(set) var bytes: [UInt8]
    private var needsComma = false

    init(capacity: Int = 512) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    mutating func object(_ body: (inout JSONWriter) -> Void) {
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
        body(&self)
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    mutating func array<Element: JSONWritable>(_ elements: [Element]) {
        bytes.append(UInt8(ascii: "["))
        needsComma = false
        for element in elements {
            comma()
            element.write(to: &self)
        }
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    /// A member of the object that is being written.
    /// - Parameter name: ASCII that needs no escape.
    mutating func member(_ name: String, _ value: some JSONWritable) {
        key(name)
        value.write(to: &self)
        needsComma = true
    }

    mutating func member(_ name: String, _ value: (some JSONWritable)?) {
        key(name)
        if let value { value.write(to: &self) } else { bytes.append(contentsOf: "null".utf8) }
        needsComma = true
    }

    mutating func member(_ name: String, _ elements: [some JSONWritable]) {
        key(name)
        array(elements)
    }

    mutating func member(_ name: String, object body: (inout JSONWriter) -> Void) {
        key(name)
        object(body)
    }

    mutating func string(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20:
                bytes.append(contentsOf: "\\u00\(byte < 16 ? "0" : "1")\(hexDigit(byte & 15))".utf8)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Text that is JSON already or needs no escape.
    mutating func raw(_ text: some Sequence<UInt8>) {
        bytes.append(contentsOf: text)
    }

    private mutating func key(_ name: String) {
        comma()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: name.utf8)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func comma() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    private func hexDigit(_ value: UInt8) -> Character {
        Character(UnicodeScalar(value < 10 ? 48 + value : 87 + value))
    }
}

/// What an answer can hold.
protocol JSONWritable {
    func write(to json: inout JSONWriter)
}

extension String: JSONWritable {
    func write(to json: inout JSONWriter) { json.string(self) }
}

extension Bool: JSONWritable {
    func write(to json: inout JSONWriter) { json.raw((self ? "true" : "false").utf8) }
}

extension Int: JSONWritable {
    func write(to json: inout JSONWriter) { json.raw(String(self).utf8) }
}

extension Int64: JSONWritable {
    func write(to json: inout JSONWriter) { json.raw(String(self).utf8) }
}

extension Role: JSONWritable {
    func write(to json: inout JSONWriter) { json.string(rawValue) }
}

extension SharingPolicy: JSONWritable {
    func write(to json: inout JSONWriter) { json.string(rawValue) }
}

extension CalendarDate: JSONWritable {
    func write(to json: inout JSONWriter) { json.string(description) }
}

extension Empty: JSONWritable {
    func write(to json: inout JSONWriter) {}
}
