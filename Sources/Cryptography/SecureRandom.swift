import COpenSSL

/// The operating system's random source, through OpenSSL's generator.
public enum SecureRandom {
    /// Unpredictable bytes for tokens, nonces and identifiers.
    /// - Throws: `CryptographyError.randomSourceFailed`; there is no weaker fallback.
    public static func bytes(_ count: Int) throws(CryptographyError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let filled = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            unsafe RAND_bytes(buffer.baseAddress, Int32(buffer.count))
        }
        guard filled == 1 else { throw .randomSourceFailed }
        return bytes
    }
}

/// What can go wrong in this module. None of it is the caller's input.
public enum CryptographyError: Error, Equatable {
    case randomSourceFailed
    /// libcrypt refused the setting or ran out of memory.
    case hashingFailed
    /// OpenSSL could not sign.
    case noSignature
    /// Every place in the hashing queue is taken, none came free in time, or the queue is closed.
    case hashingQueueFull
    /// The system has no thread for the hashing queue.
    case noThread(errno: Int32)
}
