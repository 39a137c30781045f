import JSON

/// Text as mail servers of all times take it (RFC 2045, 6.7): ASCII, and no line over 76 characters.
enum QuotedPrintable {
    /// - Parameter text: its lines end with LF.
    static func encode(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(line).joined(separator: "\r\n")
    }

    private static func line(_ text: Substring) -> String {
        var lines: [String] = []
        var line = ""
        let bytes = Array(text.utf8)
        for (index, byte) in bytes.enumerated() {
            // White space at the end of a line is lost on the way.
            let isPlain =
                (0x21..<0x7f).contains(byte) && byte != UInt8(ascii: "=")
                || byte == UInt8(ascii: " ") && index != bytes.count - 1
            let written = isPlain ? String(UnicodeScalar(byte)) : hex(byte)
            if line.utf8.count + written.utf8.count > 75 {
                lines.append(line + "=")
                line = ""
            }
            line += written
        }
        return (lines + [line]).joined(separator: "\r\n")
    }

    private static func hex(_ byte: UInt8) -> String {
        let digits = [byte >> 4, byte & 15].map { String(UnicodeScalar(hexadecimal($0))).uppercased() }
        return "=" + digits.joined()
    }
}
