import Glibc

/// The addresses that begin with the same bits.
public struct AddressNetwork: Sendable, Equatable {
    /// 4 or 16, as they travel.
    let prefix: [UInt8]
    /// In bits.
    let length: Int

    init(_ prefix: [UInt8], _ length: Int) {
        self.prefix = prefix
        self.length = length
    }

    /// Reads `192.168.1.0/24`, `fd12:3456::/32`, or one address alone.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let bytes = Self.bytes(of: String(parts[0])) else { return nil }
        prefix = bytes
        guard parts.count == 2 else {
            length = bytes.count * 8
            return
        }
        guard let length = Int(parts[1]), (0...bytes.count * 8).contains(length), parts[1].allSatisfy(\.isNumber) else {
            return nil
        }
        self.length = length
    }

    /// Of an address as it is written; nil for a name.
    static func bytes(of text: String) -> [UInt8]? {
        var short = in_addr()
        if unsafe inet_pton(AF_INET, text, &short) == 1 {
            return unsafe withUnsafeBytes(of: short) { unsafe Array($0) }
        }
        var long = in6_addr()
        if unsafe inet_pton(AF_INET6, text, &long) == 1 { return unsafe withUnsafeBytes(of: long) { unsafe Array($0) } }
        return nil
    }

    /// Whether an address of the same kind begins so. What the prefix is short of is zero.
    func contains(_ bytes: [UInt8]) -> Bool {
        (0..<length).allSatisfy { bit in
            let mask: UInt8 = 0x80 >> UInt8(bit & 7)
            let own = bit >> 3 < prefix.count ? prefix[bit >> 3] : 0
            return bytes[bit >> 3] & mask == own & mask
        }
    }
}
