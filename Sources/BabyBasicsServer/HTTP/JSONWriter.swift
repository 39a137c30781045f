import BabyBasicsAPI
import FoundationEssentials
import Glibc

/// Writes JSON into one buffer, in one pass. Foundation's encoder builds a tree first, which costs ten times as much on a page of events.
struct JSONWriter: ~Copyable {
    private var buffer: ByteBuffer
    private var needsComma = false

    /// - Parameter capacity: in bytes. The C library keeps pieces of up to 1032 at hand; larger ones it has to look for.
    init(capacity: Int = 1024) { buffer = ByteBuffer(capacity: capacity) }

    /// What has been written so far.
    var bytes: [UInt8] { buffer.bytes }

    /// Lets `write` put at most `most` bytes at the end; it returns how many.
    mutating func append(atMost most: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
        buffer.append(atMost: most, write)
    }

    private mutating func append(_ byte: UInt8) { buffer.append(byte) }

    mutating func object(_ body: (inout JSONWriter) -> Void) {
        append(UInt8(ascii: "{"))
        needsComma = false
        body(&self)
        append(UInt8(ascii: "}"))
        needsComma = true
    }

    mutating func array<Element: JSONWritable>(_ elements: [Element]) {
        append(UInt8(ascii: "["))
        needsComma = false
        for element in elements {
            if needsComma { append(UInt8(ascii: ",")) }
            element.write(to: &self)
            needsComma = true
        }
        append(UInt8(ascii: "]"))
        needsComma = true
    }

    /// A member of the object that is being written.
    /// - Parameter name: ASCII that needs no escape.
    mutating func member(_ name: StaticString, _ value: some JSONWritable) {
        key(name.bytes)
        value.write(to: &self)
        needsComma = true
    }

    mutating func member(_ name: StaticString, _ value: (some JSONWritable)?) {
        key(name.bytes)
        if let value { value.write(to: &self) } else { buffer.append(literal: "null") }
        needsComma = true
    }

    mutating func member(_ name: StaticString, _ elements: [some JSONWritable]) {
        key(name.bytes)
        array(elements)
    }

    mutating func member(_ name: StaticString, object body: (inout JSONWriter) -> Void) {
        key(name.bytes)
        object(body)
    }

    /// The same for a name that is known only when the program runs.
    mutating func member(named name: String, _ value: some JSONWritable) {
        name.utf8.span.withUnsafeBufferPointer { key($0) }
        value.write(to: &self)
        needsComma = true
    }

    mutating func member(named name: String, _ elements: [some JSONWritable]) {
        name.utf8.span.withUnsafeBufferPointer { key($0) }
        array(elements)
    }

    mutating func member(named name: String, object body: (inout JSONWriter) -> Void) {
        name.utf8.span.withUnsafeBufferPointer { key($0) }
        object(body)
    }

    mutating func string(_ text: String) {
        text.utf8.span.withUnsafeBufferPointer { utf8 in
            append(atMost: 6 * utf8.count + 2) { escape(utf8, to: $0) }
        }
    }

    mutating func number(_ value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        buffer.append(decimal: value.magnitude)
    }

    /// Text that is JSON already.
    mutating func raw(_ text: String) { buffer.append(text) }

    mutating func raw(_ json: [UInt8]) {
        json.withUnsafeBufferPointer { buffer.append($0) }
    }

    private mutating func key(_ name: UnsafeBufferPointer<UInt8>) {
        let isFirst = !needsComma
        append(atMost: name.count + 4) { target in
            // The comma is overwritten where there is to be none.
            target[0] = UInt8(ascii: ",")
            let key = isFirst ? target : target + 1
            key[0] = UInt8(ascii: "\"")
            if let source = name.baseAddress { memcpy(key + 1, source, name.count) }
            key[name.count + 1] = UInt8(ascii: "\"")
            key[name.count + 2] = UInt8(ascii: ":")
            return key - target + name.count + 3
        }
    }
}

/// Writes a string with its quotes; returns the number of bytes.
private func escape(_ text: UnsafeBufferPointer<UInt8>, to target: UnsafeMutablePointer<UInt8>)
    -> Int
{
    var end = target
    func put(_ byte: UInt8) {
        end.pointee = byte
        end += 1
    }
    put(UInt8(ascii: "\""))
    for byte in text {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            put(UInt8(ascii: "\\"))
            put(byte)
        case 0..<0x20:
            for digit in "\\u00".utf8 { put(digit) }
            put(hexadecimal(byte >> 4))
            put(hexadecimal(byte & 15))
        default: put(byte)
        }
    }
    put(UInt8(ascii: "\""))
    return end - target
}

func hexadecimal(_ digit: UInt8) -> UInt8 { digit < 10 ? 48 + digit : 87 + digit }

/// What an answer can hold.
protocol JSONWritable {
    func write(to json: inout JSONWriter)
}

extension String: JSONWritable {
    func write(to json: inout JSONWriter) { json.string(self) }
}

extension Bool: JSONWritable {
    func write(to json: inout JSONWriter) { json.raw(self ? "true" : "false") }
}

extension Int: JSONWritable {
    func write(to json: inout JSONWriter) { json.number(Int64(self)) }
}

extension Int64: JSONWritable {
    func write(to json: inout JSONWriter) { json.number(self) }
}

extension Role: JSONWritable {
    func write(to json: inout JSONWriter) { json.string(rawValue) }
}

extension SharingPolicy: JSONWritable {
    func write(to json: inout JSONWriter) { json.string(rawValue) }
}

extension Empty: JSONWritable {
    func write(to json: inout JSONWriter) {}
}
