import Glibc

/// The system has no memory to share.
public struct SharedMemoryError: Error, CustomStringConvertible {
    public let description: String

    init(_ call: String, _ path: String, _ code: CInt) {
        description = unsafe "\(path): \(call): \(String(cString: strerror(code)))"
    }
}
