/// What has arrived on a connection, looked at before libfcgi reads it.
///
/// libfcgi waits for what is missing, reads on in garbage, and answers a management record from a buffer of 64 bytes on
/// its stack, which a peer that asks for enough values makes it overrun. So it is only given what is here, whole, and a
/// request by FastCGI 1.0: BEGIN_REQUEST, PARAMS that are name-value pairs to their end, STDIN to its end, all of one id.
enum ArrivedRequest: Equatable {
    case incomplete
    case whole
    /// Nothing that a web server sends.
    case garbage

    private static let headerBytes = 8

    private enum Part {
        case begin, parameters, body
    }

    /// - Parameter bytes: from the first of a request on.
    init(_ bytes: RawSpan) {
        var position = 0
        var part = Part.begin
        var id: UInt16 = 0
        var pairs = PairScanner()
        while bytes.byteCount - position >= Self.headerBytes {
            let record = Record(bytes, at: position)
            guard record.isPart(part), part == .begin || record.id == id else {
                self = .garbage
                return
            }
            // Of a record without content libfcgi takes the padding for the next record.
            guard record.contentBytes > 0 || record.paddingBytes == 0 else {
                self = .garbage
                return
            }
            if part == .begin {
                // The whole record is needed to see the role; libfcgi would take padding for the next record here.
                guard record.paddingBytes == 0 else {
                    self = .garbage
                    return
                }
                guard bytes.byteCount >= 16 else { break }
                guard bytes.role == 1 else {
                    self = .garbage
                    return
                }
                id = record.id
            }
            position += Self.headerBytes + record.contentBytes + record.paddingBytes
            guard position <= bytes.byteCount else { break }
            switch part {
            case .begin: part = .parameters
            case .parameters where record.contentBytes == 0:
                guard pairs.isBetweenPairs else {
                    self = .garbage
                    return
                }
                part = .body
            case .parameters:
                let start = position - record.contentBytes - record.paddingBytes
                pairs.scan(bytes, start..<(start + record.contentBytes))
            case .body:
                if record.contentBytes == 0 {
                    self = .whole
                    return
                }
            }
        }
        self = .incomplete
    }

    private struct Record {
        let version: UInt8
        let type: UInt8
        let id: UInt16
        let contentBytes: Int
        let paddingBytes: Int

        init(_ bytes: RawSpan, at position: Int) {
            func byte(_ offset: Int) -> UInt8 { bytes.byte(position + offset) }
            version = byte(0)
            type = byte(1)
            id = UInt16(byte(2)) << 8 | UInt16(byte(3))
            contentBytes = Int(byte(4)) << 8 | Int(byte(5))
            paddingBytes = Int(byte(6))
        }

        func isPart(_ part: Part) -> Bool {
            guard version == 1, id != 0 else { return false }
            return switch part {
            case .begin: type == 1 && contentBytes == 8
            case .parameters: type == 4
            case .body: type == 5
            }
        }
    }
}

/// Follows name-value pairs (FastCGI 1.0, 3.4) over any number of records, to see that none breaks off.
private struct PairScanner {
    /// Bytes of names and values still to come.
    private var rest = 0
    /// Of the two lengths that a pair begins with: those read, and the bytes of one that takes four.
    private var lengths = 0
    private var lengthBytesLeft = 0
    private var length = 0

    var isBetweenPairs: Bool { rest == 0 && lengths == 0 && lengthBytesLeft == 0 }

    mutating func scan(_ bytes: RawSpan, _ range: Range<Int>) {
        var position = range.lowerBound
        while position < range.upperBound {
            if rest > 0, lengths == 0 {
                let passed = min(rest, range.upperBound - position)
                rest -= passed
                position += passed
                continue
            }
            let byte = Int(bytes.byte(position))
            position += 1
            if lengthBytesLeft > 0 {
                length = length << 8 | byte
                lengthBytesLeft -= 1
            } else if byte > 127 {
                length = byte & 127
                lengthBytesLeft = 3
            } else {
                length = byte
            }
            guard lengthBytesLeft == 0 else { continue }
            rest += length
            lengths = lengths == 0 ? 1 : 0
        }
    }
}

extension RawSpan {
    fileprivate func byte(_ offset: Int) -> UInt8 { unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt8.self) }

    /// Of BEGIN_REQUEST: FCGI_RESPONDER is 1.
    fileprivate var role: UInt16 { UInt16(byte(8)) << 8 | UInt16(byte(9)) }
}
