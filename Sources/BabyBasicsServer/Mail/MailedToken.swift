import Cryptography
import FoundationEssentials

/// The secret in a mailed link: 32 bytes, as 43 base64url characters.
///
/// It is derived from the mail's id with a key that the database does not have: it is sent, and stored nowhere.
struct MailedToken {
    let text: String

    /// One that is not mailed but shown, and derived from nothing.
    init() throws { text = Encoding.base64URL(try SecureRandom.bytes(32)) }

    /// - Parameter key: 32 bytes.
    init(mail id: UUID, key: [UInt8]) {
        let message = Array("mailed link ".utf8) + withUnsafeBytes(of: id.uuid) { Array($0) }
        text = Encoding.base64URL(Digest.hmacSHA256(key: key, message: message))
    }

    /// What the database keeps of it.
    var hash: [UInt8] { Self.hash(text) }

    /// Of whatever somebody shows.
    static func hash(_ text: String) -> [UInt8] { Digest.sha256(text.utf8) }
}

extension InviteSecret {
    /// The secret in the link that is mailed to an invitee, and that nobody else is ever shown.
    static func mailed(nonce: [UInt8], key: [UInt8]) -> InviteSecret {
        InviteSecret(nonce: nonce + Array("mailed".utf8), key: key)
    }
}
