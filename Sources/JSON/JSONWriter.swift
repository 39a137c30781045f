/// Writes JSON into one array, in one pass.
public struct JSONWriter: ~Copyable {
    /// What has been written so far.
    public private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// - Parameter capacity: in bytes; it grows where that is not enough.
    public init(capacity: Int = 1024) { bytes.reserveCapacity(capacity) }

    public mutating func object(_ body: (inout JSONWriter) -> Void) {
        begin("{")
        body(&self)
        end("}")
    }

    public mutating func array(_ elements: [some JSONWritable]) {
        begin("[")
        for element in elements {
            separate()
            element.write(to: &self)
        }
        end("]")
    }

    /// A member of the object that is being written.
    /// - Parameter name: needs no escape.
    public mutating func member(_ name: String, _ value: some JSONWritable) {
        key(name)
        value.write(to: &self)
    }

    /// The same; nil is written as null.
    public mutating func member(_ name: String, _ value: (some JSONWritable)?) {
        if let value { member(name, value) } else { member(name, WrittenJSON.null) }
    }

    /// The same of a value that the compiler's coding describes; nil is written as null.
    public mutating func member(_ name: String, value: (any Encodable)?) {
        key(name)
        if let value { self.value(value) } else { WrittenJSON.null.write(to: &self) }
    }

    public mutating func member(_ name: String, _ elements: [some JSONWritable]) {
        key(name)
        array(elements)
    }

    public mutating func member(_ name: String, object body: (inout JSONWriter) -> Void) {
        key(name)
        object(body)
    }

    public mutating func string(_ text: String) {
        let utf8 = text.utf8
        string(atMost: 6 * utf8.count) { target in
            for byte in utf8 {
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                    target.append(UInt8(ascii: "\\"))
                    target.append(byte)
                case 0..<0x20:
                    for byte in "\\u00".utf8 { target.append(byte) }
                    target.append(hexadecimal(byte >> 4))
                    target.append(hexadecimal(byte & 15))
                default: target.append(byte)
                }
            }
        }
    }

    /// A string of at most that many bytes, none of which needs an escape.
    public mutating func string(atMost count: Int, _ write: (inout OutputSpan<UInt8>) -> Void) {
        bytes.append(addingCapacity: count + 2) { (target: inout OutputSpan<UInt8>) in
            target.append(UInt8(ascii: "\""))
            write(&target)
            target.append(UInt8(ascii: "\""))
        }
    }

    /// Text that is JSON already.
    public mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

    public mutating func raw(_ json: [UInt8]) { bytes.append(contentsOf: json) }

    mutating func begin(_ bracket: Unicode.Scalar) {
        bytes.append(UInt8(ascii: bracket))
        needsComma = false
    }

    mutating func end(_ bracket: Unicode.Scalar) {
        bytes.append(UInt8(ascii: bracket))
        needsComma = true
    }

    /// Before a member or an element.
    mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func key(_ name: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: name.utf8)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    /// Of a property: `childId` is written as `child_id`.
    mutating func key(ofProperty name: String) {
        separate()
        let utf8 = name.utf8
        string(atMost: 2 * utf8.count) { target in
            for byte in utf8 {
                let isCapital = byte &- UInt8(ascii: "A") < 26
                if isCapital { target.append(UInt8(ascii: "_")) }
                target.append(isCapital ? byte | 0x20 : byte)
            }
        }
        bytes.append(UInt8(ascii: ":"))
    }
}

/// A digit of 0 to 15, in lower case.
public func hexadecimal(_ digit: UInt8) -> UInt8 { digit < 10 ? 48 + digit : 87 + digit }
