import COpenSSL

/// A key pair on the curve P-256: to sign with (ES256), and to agree on a secret with (ECDH).
///
/// Unchecked because OpenSSL's keys are never changed once they are made, so that all threads may use them.
@safe public final class P256Key: @unchecked Sendable {
    fileprivate let key: OpaquePointer
    /// 65 bytes: an uncompressed point.
    public let publicKey: [UInt8]

    /// - Parameter number: the private number, of 32 bytes. Nil for one that is 0 or too large, as one in 2³² of all is.
    public convenience init?(number: [UInt8]) {
        guard number.count == 32 else { return nil }
        unsafe self.init(unsafe bb_p256_private(number))
    }

    /// - Parameter pem: a private key as PKCS 8 writes it; nil for anything else, and for one of another curve.
    public convenience init?(pem: String) {
        let text = Array(pem.utf8)
        unsafe self.init(unsafe bb_p256_pem(text, text.count))
    }

    /// A key that nobody has had.
    public static func random() throws(CryptographyError) -> P256Key {
        guard let key = unsafe P256Key(unsafe bb_p256_random()) else { throw .randomSourceFailed }
        return key
    }

    private init?(_ made: OpaquePointer?) {
        guard let made = unsafe made else { return nil }
        var point = [UInt8](repeating: 0, count: 65)
        guard unsafe bb_p256_point(made, &point) == 1 else {
            unsafe EVP_PKEY_free(made)
            return nil
        }
        unsafe key = unsafe made
        publicKey = point
    }

    deinit { unsafe EVP_PKEY_free(key) }

    /// Signs the SHA-256 of a message. 64 bytes, as JSON Web Signatures have it.
    public func sign(_ message: [UInt8]) throws(CryptographyError) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: 64)
        guard unsafe bb_p256_sign(key, message, message.count, &signature) == 1 else { throw .noSignature }
        return signature
    }

    /// The secret that whoever has the other key finds too. 32 bytes; nil for what is no point of the curve.
    public func agree(with publicKey: [UInt8]) -> [UInt8]? {
        guard publicKey.count == 65, let other = unsafe bb_p256_public(publicKey) else { return nil }
        defer { unsafe EVP_PKEY_free(other) }
        var secret = [UInt8](repeating: 0, count: 32)
        return unsafe bb_p256_agree(key, other, &secret) == 1 ? secret : nil
    }

    /// Whether these bytes are an uncompressed point of the curve.
    public static func isPublicKey(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == 65, let key = unsafe bb_p256_public(bytes) else { return false }
        unsafe EVP_PKEY_free(key)
        return true
    }
}

/// A JSON Web Token (RFC 7519) that an ECDSA key has signed (ES256).
public enum SignedToken {
    /// - Parameters:
    ///   - header: JSON.
    ///   - claims: JSON.
    public static func make(header: String, claims: String, key: P256Key) throws(CryptographyError) -> String {
        let message = "\(Encoding.base64URL(Array(header.utf8))).\(Encoding.base64URL(Array(claims.utf8)))"
        return "\(message).\(Encoding.base64URL(try key.sign(Array(message.utf8))))"
    }
}
