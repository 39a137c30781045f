import CCrypt
import Glibc

/// Memory for one computation of bcrypt after another. `compute` allocates nothing.
@safe final class BcryptWork {
    /// Both hold a NUL at their end.
    private static let phraseBytes = 73
    private static let textBytes = Int(CRYPT_OUTPUT_SIZE)

    private let phrase = UnsafeMutablePointer<CChar>.allocate(capacity: phraseBytes)
    private let setting = UnsafeMutablePointer<CChar>.allocate(capacity: textBytes)
    private let output = UnsafeMutablePointer<CChar>.allocate(capacity: textBytes)
    private let data = UnsafeMutablePointer<crypt_data>.allocate(capacity: 1)

    init() {
        unsafe phrase.initialize(repeating: 0, count: Self.phraseBytes)
        unsafe setting.initialize(repeating: 0, count: Self.textBytes)
        unsafe output.initialize(repeating: 0, count: Self.textBytes)
        unsafe data.initialize(to: crypt_data())
    }

    deinit {
        unsafe phrase.deallocate()
        unsafe setting.deallocate()
        unsafe output.deallocate()
        unsafe data.deallocate()
    }

    /// - Parameters:
    ///   - secret: up to 72 bytes without NUL; bcrypt would read no more.
    ///   - text: salt and cost, or a whole stored hash.
    func prepare(_ secret: [UInt8], setting text: String) {
        unsafe Self.copy(secret, to: phrase, Self.phraseBytes)
        unsafe Self.copy(text.utf8, to: setting, Self.textBytes)
    }

    /// Computes, and forgets the password.
    func compute() {
        let made = unsafe crypt_rn(phrase, setting, data, CInt(MemoryLayout<crypt_data>.size))
        unsafe memset(output, 0, Self.textBytes)
        if let made = unsafe made { unsafe strncpy(output, made, Self.textBytes - 1) }
        // It holds the password and what was derived from it.
        unsafe explicit_bzero(data, MemoryLayout<crypt_data>.size)
        unsafe explicit_bzero(phrase, Self.phraseBytes)
    }

    /// The hash that was computed.
    /// - Throws: `CryptographyError.hashingFailed` for a setting that libxcrypt cannot use: it reports that as no text, or as "*0" or "*1", at
    ///   once and as if that were a hash.
    func result() throws(CryptographyError) -> String {
        let text = unsafe String(cString: output)
        guard !text.isEmpty, !text.hasPrefix("*") else { throw .hashingFailed }
        return text
    }

    private static func copy(
        _ bytes: some Collection<UInt8>, to target: UnsafeMutablePointer<CChar>, _ size: Int
    ) {
        var count = 0
        for byte in bytes.prefix(size - 1) {
            unsafe target[count] = CChar(bitPattern: byte)
            count += 1
        }
        unsafe target[count] = 0
    }
}
