import Glibc

/// A call to the system that failed.
public struct SystemCallError: Error, CustomStringConvertible {
    public let name: String
    public let code: Int32

    public init(_ name: String, errno code: Int32) {
        self.name = name
        self.code = code
    }

    public var description: String { "\(name): \(unsafe String(cString: strerror(code)))" }
}

/// Makes a call, once more where a signal interrupted it.
package func systemCall(_ name: String, _ call: () -> CInt) throws(SystemCallError) -> CInt {
    while true {
        let result = call()
        if result >= 0 { return result }
        if errno != EINTR { throw SystemCallError(name, errno: errno) }
    }
}
