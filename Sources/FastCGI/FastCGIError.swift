import CFastCGI
import Glibc

/// Why a listener could not be made or a worker could not be started.
public enum FastCGIError: Error, Equatable, CustomStringConvertible {
    /// The path does not fit into a socket address together with the suffix needed while binding.
    case pathTooLong(String)
    /// Another process still listens on this path.
    case addressInUse(String)
    /// Something that is no socket stands at this path; it is left alone.
    case notASocket(String)
    /// The descriptor is not a listening unix stream socket.
    case notAListener(Int32)
    /// A value of the configuration is out of its range.
    case invalidConfiguration(String)
    /// A system call failed with this `errno`.
    case systemCall(String, errno: Int32)

    public var description: String {
        switch self {
        case .pathTooLong(let path): "socket path too long: \(path)"
        case .addressInUse(let path): "another process listens on \(path)"
        case .notASocket(let path): "\(path) exists and is not a socket"
        case .notAListener(let descriptor):
            "descriptor \(descriptor) is not a listening unix stream socket"
        case .invalidConfiguration(let reason): "invalid configuration: \(reason)"
        case .systemCall(let name, let code):
            "\(name) failed: \(unsafe String(cString: strerror(code)))"
        }
    }
}

/// Runs a system call that answers -1 on failure, again when a signal interrupted it.
func systemCall(_ name: String, _ call: () -> CInt) throws(FastCGIError) -> CInt {
    while true {
        let result = call()
        if result >= 0 { return result }
        if errno != EINTR { throw .systemCall(name, errno: errno) }
    }
}
