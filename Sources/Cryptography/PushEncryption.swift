import COpenSSL

/// What a browser alone can read (RFC 8291): one record of `aes128gcm` (RFC 8188).
public struct PushEncryption: Sendable {
    /// Push services take bodies of this size (RFC 8030, 7.2).
    public static let maximumBody = 4096
    /// What a message may have at most: the body less the header, the mark of the last record and the tag.
    public static let maximumMessage = maximumBody - headerBytes - 1 - tagBytes
    /// Messages are filled up to a multiple of this, so that their length says little.
    public static let granularity = 256
    private static let headerBytes = 16 + 4 + 1 + 65
    private static let tagBytes = 16

    let publicKey: [UInt8]
    let secret: [UInt8]

    /// - Parameters:
    ///   - publicKey: the browser's `p256dh`, 65 bytes.
    ///   - secret: its `auth`, 16 bytes.
    public init?(publicKey: [UInt8], secret: [UInt8]) {
        guard publicKey.count == 65, secret.count == 16 else { return nil }
        self.publicKey = publicKey
        self.secret = secret
    }

    /// Encrypts for the browser; nil where its key is no point of the curve or the message is too long.
    public func encrypt(_ message: [UInt8]) throws(CryptographyError) -> [UInt8]? {
        let rest = message.count % Self.granularity
        let padding = rest == 0 ? 0 : Self.granularity - rest
        return encrypt(
            message, padding: min(padding, max(0, Self.maximumMessage - message.count)), key: try .random(),
            salt: try SecureRandom.bytes(16))
    }

    /// - Parameters:
    ///   - key: of this message alone.
    ///   - salt: 16 bytes, of this message alone.
    func encrypt(_ message: [UInt8], padding: Int, key: P256Key, salt: [UInt8]) -> [UInt8]? {
        guard message.count + padding <= Self.maximumMessage, let shared = key.agree(with: publicKey) else {
            return nil
        }
        let info = Array("WebPush: info\0".utf8) + publicKey + key.publicKey
        let seed = expand(Digest.hmacSHA256(key: secret, message: shared), info, 32)
        let random = Digest.hmacSHA256(key: salt, message: seed)
        let contentKey = expand(random, Array("Content-Encoding: aes128gcm\0".utf8), 16)
        let nonce = expand(random, Array("Content-Encoding: nonce\0".utf8), 12)
        // 2 marks the last record; zeros fill it up.
        let record = message + [2] + [UInt8](repeating: 0, count: padding)
        var sealed = [UInt8](repeating: 0, count: record.count + Self.tagBytes)
        guard unsafe bb_aes128_gcm_seal(contentKey, nonce, record, record.count, &sealed) == 1 else { return nil }
        let recordSize = [0, 0, UInt8(Self.maximumBody >> 8), UInt8(Self.maximumBody & 255)]
        return salt + recordSize + [UInt8(key.publicKey.count)] + key.publicKey + sealed
    }

    /// HKDF-Expand (RFC 5869) of at most 32 bytes.
    private func expand(_ key: [UInt8], _ info: [UInt8], _ count: Int) -> [UInt8] {
        Array(Digest.hmacSHA256(key: key, message: info + [1]).prefix(count))
    }
}
