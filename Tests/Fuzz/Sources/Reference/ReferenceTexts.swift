/// Texts of fixed forms, read by their descriptions in the RFCs and the contract, digit by digit.
enum ReferenceTexts {
    /// Milliseconds since 1970 of RFC 3339's `date-time`, without leap seconds, for the years 1 to 9999.
    static func milliseconds(_ text: [UInt8]) -> Int? {
        guard text.count <= 64, let days = days(Array(text.prefix(10))) else { return nil }
        var rest = Array(text.dropFirst(10))[...]
        guard take("Tt", &rest) != nil, let hour = digits(2, &rest), hour < 24,
            take(":", &rest) != nil, let minute = digits(2, &rest), minute < 60,
            take(":", &rest) != nil, let second = digits(2, &rest), second < 60
        else { return nil }
        var milliseconds = 0
        if take(".", &rest) != nil {
            var count = 0
            while let digit = digits(1, &rest) {
                count += 1
                if count <= 3 { milliseconds = milliseconds * 10 + digit }
            }
            guard count > 0 else { return nil }
            for _ in count..<max(3, count) { milliseconds *= 10 }
        }
        var offset = 0
        if take("Zz", &rest) == nil {
            guard let sign = take("+-", &rest), let hours = digits(2, &rest), hours < 24,
                take(":", &rest) != nil, let minutes = digits(2, &rest), minutes < 60
            else { return nil }
            offset = (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -1 : 1)
        }
        guard rest.isEmpty else { return nil }
        let minutes = days * 1440 + hour * 60 + minute - offset
        return (minutes * 60 + second) * 1000 + milliseconds
    }

    /// Days since 1970 of `YYYY-MM-DD`, counted year by year.
    static func days(_ text: [UInt8]) -> Int? {
        var rest = text[...]
        guard let year = digits(4, &rest), year >= 1, take("-", &rest) != nil,
            let month = digits(2, &rest), (1...12).contains(month), take("-", &rest) != nil,
            let day = digits(2, &rest), day >= 1, rest.isEmpty
        else { return nil }
        func isLeap(_ year: Int) -> Bool {
            year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        }
        let lengths = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard day <= lengths[month - 1] else { return nil }
        let before =
            year >= 1970
            ? (1970..<year).reduce(0) { $0 + (isLeap($1) ? 366 : 365) }
            : (year..<1970).reduce(0) { $0 - (isLeap($1) ? 366 : 365) }
        return before + lengths.prefix(month - 1).reduce(0, +) + day - 1
    }

    static func isUUID(_ text: [UInt8]) -> Bool {
        let groups = text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return groups.map(\.count) == [8, 4, 4, 4, 12]
            && groups.joined().allSatisfy { isHexadecimal($0) }
    }

    /// The bytes of base64url without padding.
    static func bytes(base64URL text: [UInt8]) -> [UInt8]? {
        let alphabet = Array(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var bits: [Bool] = []
        for character in text {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            bits += (0..<6).map { value >> (5 - $0) & 1 == 1 }
        }
        return (0..<(bits.count / 8)).map { index in
            bits[(8 * index)..<(8 * index + 8)].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
        }
    }

    /// `local@domain` in ASCII as HTML's `type=email` has it, with two labels at least in the domain.
    static func isEmail(_ text: [UInt8]) -> Bool {
        guard text.count <= 254, let at = text.lastIndex(of: UInt8(ascii: "@")) else {
            return false
        }
        let local = text[..<at]
        let labels = text[(at + 1)...].split(
            separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return (1...64).contains(local.count)
            && local.allSatisfy {
                isAlphanumeric($0) || Array(".!#$%&'*+/=?^_`{|}~-".utf8).contains($0)
            }
            && labels.count >= 2
            && labels.allSatisfy { label in
                (1...63).contains(label.count) && label.first != UInt8(ascii: "-")
                    && label.last != UInt8(ascii: "-")
                    && label.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
            }
    }

    /// RFC 9110's `1#entity-tag`, cut at the commas outside of quotes; nil for anything else.
    static func entityTags(_ text: [UInt8]) -> [(isWeak: Bool, tag: [UInt8])]? {
        var elements: [[UInt8]] = [[]]
        var isQuoted = false
        for byte in text {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if byte == UInt8(ascii: ","), !isQuoted {
                elements.append([])
            } else {
                elements[elements.count - 1].append(byte)
            }
        }
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let trimmed = elements.map { element in
            Array(element.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
        }.filter { !$0.isEmpty }
        var tags: [(isWeak: Bool, tag: [UInt8])] = []
        for element in trimmed {
            let isWeak = element.starts(with: [UInt8(ascii: "W"), UInt8(ascii: "/")])
            let quoted = element.dropFirst(isWeak ? 2 : 0)
            let tag = Array(quoted.dropFirst().dropLast())
            guard quoted.count >= 2, quoted.first == 0x22, quoted.last == 0x22,
                tag.allSatisfy({ $0 > 0x20 && $0 != 0x22 && $0 != 0x7f })
            else { return nil }
            tags.append((isWeak, tag))
        }
        return tags.isEmpty ? nil : tags
    }

    static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (97...122).contains(byte | 0x20) && byte < 128
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...70).contains(byte) || (97...102).contains(byte)
    }

    private static func take(_ any: StaticString, _ rest: inout ArraySlice<UInt8>) -> UInt8? {
        guard let first = rest.first, "\(any)".utf8.contains(first) else { return nil }
        return rest.removeFirst()
    }

    private static func digits(_ count: Int, _ rest: inout ArraySlice<UInt8>) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ (48...57).contains($0) }) else {
            return nil
        }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1) - 48 }
    }
}
