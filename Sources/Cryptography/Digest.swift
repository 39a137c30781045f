import COpenSSL

/// Hashes, keyed hashes and their comparison.
public enum Digest {
    /// SHA-256, 32 bytes.
    public static func sha256(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        unsafe hash(bytes, sha256Algorithm, length: Int(SHA256_DIGEST_LENGTH))
    }

    /// Has `read` look at the SHA-256 of some bytes.
    public static func sha256<Value>(
        _ bytes: UnsafeBufferPointer<UInt8>, _ read: (UnsafeBufferPointer<UInt8>) -> Value
    ) -> Value {
        unsafe withUnsafeTemporaryAllocation(
            of: UInt8.self, capacity: Int(SHA256_DIGEST_LENGTH)
        ) { output in
            let isMade = unsafe bb_digest(
                sha256Algorithm, bytes.baseAddress, bytes.count, output.baseAddress)
            precondition(isMade == 1, "OpenSSL has no such hash")
            return unsafe read(UnsafeBufferPointer(output))
        }
    }

    /// SHA-384, 48 bytes.
    public static func sha384(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        unsafe hash(bytes, sha384Algorithm, length: Int(SHA384_DIGEST_LENGTH))
    }

    // Looked up once: for a short input that takes longer than the hashing. Never changed nor freed, so all threads may use them.
    private nonisolated(unsafe) static let sha256Algorithm = unsafe EVP_MD_fetch(nil, "SHA256", nil)
    private nonisolated(unsafe) static let sha384Algorithm = unsafe EVP_MD_fetch(nil, "SHA384", nil)

    private static func hash(
        _ bytes: some Sequence<UInt8>, _ algorithm: OpaquePointer?, length: Int
    ) -> [UInt8] {
        func hash(_ input: UnsafeBufferPointer<UInt8>) -> [UInt8] {
            var output = [UInt8](repeating: 0, count: length)
            let isMade = unsafe bb_digest(algorithm, input.baseAddress, input.count, &output)
            precondition(isMade == 1, "OpenSSL has no such hash")
            return output
        }
        return unsafe bytes.withContiguousStorageIfAvailable(hash)
            ?? Array(bytes).withUnsafeBufferPointer(hash)
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
