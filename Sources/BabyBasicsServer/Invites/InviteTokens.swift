import BabyBasicsAPI
import Cryptography
import FoundationEssentials

/// The secret of an invite: 16 bytes, written as 22 base64url characters or as a UUID.
///
/// It is derived from the link's stored nonce with a key that the database does not have, so that it can be shown again without being stored.
struct InviteSecret: Equatable {
    private let bytes: [UInt8]

    /// - Parameter key: 32 bytes.
    init(nonce: [UInt8], key: [UInt8]) {
        bytes = Array(Digest.hmacSHA256(key: key, message: nonce)[0..<16])
    }

    /// The text in a join link.
    var token: String { Encoding.base64URL(bytes) }

    /// The same bytes for a deep link, lower case.
    var uuid: String {
        let digits = Encoding.hex(bytes)
        let cuts = [0, 8, 12, 16, 20, 32]
        return zip(cuts, cuts.dropFirst()).map { digits.dropFirst($0).prefix($1 - $0) }
            .joined(separator: "-")
    }

    /// What the database keeps of a token.
    static func hash(ofToken token: String) -> String {
        Encoding.hex(Digest.sha256(token.utf8))
    }

    /// The stored hash of a token in either of its forms; nil for what can be no token.
    static func hash(ofEitherForm text: String) -> String? {
        if let uuid = InviteID(text)?.uuid.uuid {
            return hash(ofToken: Encoding.base64URL(withUnsafeBytes(of: uuid) { Array($0) }))
        }
        let isToken =
            text.utf8.count == 22
            && text.utf8.allSatisfy {
                (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0)
                    || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
            }
        return isToken ? hash(ofToken: text) : nil
    }
}
