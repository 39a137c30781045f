import CCrypt
import Glibc

/// The texts of bcrypt hashes, as libxcrypt takes and makes them. `BcryptWork` computes them.
enum Bcrypt {
    /// The costs that a stored hash may have (2^cost rounds). Above them a check takes too long, below it protects too little.
    static let acceptedCosts = 10...14

    /// Salt and cost of a new hash.
    /// - Parameter salt: 16 random bytes.
    static func setting(cost: Int, salt: [UInt8]) throws(CryptographyError) -> String {
        var setting = [CChar](repeating: 0, count: Int(CRYPT_GENSALT_OUTPUT_SIZE))
        let made = unsafe salt.withUnsafeBufferPointer { salt in
            unsafe salt.withMemoryRebound(to: CChar.self) { salt in
                unsafe crypt_gensalt_rn(
                    "$2b$", UInt(cost), salt.baseAddress, Int32(salt.count), &setting,
                    Int32(setting.count)) != nil
            }
        }
        guard made else { throw .hashingFailed }
        return text(setting)
    }

    /// What looks like a stored hash but is none of any secret that is known, at no cost: only its salt is ever used in a computation.
    static func unmatchable(cost: Int) throws -> String {
        let alphabet = Array(
            "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
        var digits = try SecureRandom.bytes(53).map { alphabet[Int($0 & 63)] }
        // 128 bits of salt are 22 digits, of which the last has two bits, and 184 of hash are 31, of which the last has four.
        digits[21] = try alphabet[Int(SecureRandom.bytes(1)[0] & 0x30)]
        digits[52] = try alphabet[Int(SecureRandom.bytes(1)[0] & 0x3c)]
        return "$2b$\(cost < 10 ? "0" : "")\(cost)$" + String(decoding: digits, as: UTF8.self)
    }

    /// The cost of a well-formed `$2a$`, `$2b$` or `$2y$` hash, or nil.
    static func cost(of hash: String) -> Int? {
        let bytes = Array(hash.utf8)
        guard bytes.count == 60, bytes.starts(with: "$2".utf8), "aby".utf8.contains(bytes[2]),
            bytes[3] == UInt8(ascii: "$"), bytes[6] == UInt8(ascii: "$"),
            let cost = Int(String(decoding: bytes[4...5], as: UTF8.self)),
            acceptedCosts.contains(cost)
        else { return nil }
        return cost
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
