import COpenSSL

/// Hashes, keyed hashes and their comparison.
public enum Digest {
    /// SHA-256, 32 bytes.
    public static func sha256(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        let input = Array(bytes)
        var output = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        unsafe output.withUnsafeMutableBufferPointer { buffer in
            _ = unsafe SHA256(input, input.count, buffer.baseAddress)
        }
        return output
    }

    /// SHA-384, 48 bytes.
    public static func sha384(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        let input = Array(bytes)
        var output = [UInt8](repeating: 0, count: Int(SHA384_DIGEST_LENGTH))
        unsafe output.withUnsafeMutableBufferPointer { buffer in
            _ = unsafe SHA384(input, input.count, buffer.baseAddress)
        }
        return output
    }

    /// HMAC-SHA-256 (RFC 2104), 32 bytes.
    public static func hmacSHA256(key: [UInt8], message: [UInt8]) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        unsafe output.withUnsafeMutableBufferPointer { buffer in
            _ = unsafe HMAC(
                EVP_sha256(), key, Int32(key.count), message, message.count, buffer.baseAddress,
                nil)
        }
        return output
    }

    /// Whether two secrets are equal, in a time that depends on their lengths alone.
    public static func constantTimeEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        unsafe left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }
}
