import Glibc

/// One request as nginx described it: the FastCGI parameters and the whole body.
///
/// The parameters lie in one buffer, copied once; a `String` is made only for a name that is asked
/// for. Names are compared byte by byte, upper and lower case being different.
public struct Request: Sendable {
    /// Where a parameter is in `environment`; in 32 bits, as requests that wait keep them.
    private struct Parameter {
        private let bounds: (nameStart: UInt32, nameEnd: UInt32, valueStart: UInt32, valueEnd: UInt32)

        init(nameStart: Int, nameEnd: Int, valueStart: Int, valueEnd: Int) {
            bounds = (UInt32(nameStart), UInt32(nameEnd), UInt32(valueStart), UInt32(valueEnd))
        }

        var nameStart: Int { Int(bounds.nameStart) }
        var nameEnd: Int { Int(bounds.nameEnd) }
        var valueStart: Int { Int(bounds.valueStart) }
        var valueEnd: Int { Int(bounds.valueEnd) }
    }

    private var environment: [UInt8]
    private var parameters: [Parameter]

    /// The body, exactly `CONTENT_LENGTH` bytes.
    public var body: [UInt8]

    /// A request without a socket, for tests.
    public init(parameters: [(String, String)], body: [UInt8] = []) {
        self.environment = []
        self.parameters = []
        self.body = body
        for (name, value) in parameters {
            let nameStart = environment.count
            environment.append(contentsOf: name.utf8)
            let valueStart = environment.count
            environment.append(contentsOf: value.utf8)
            self.parameters.append(
                Parameter(
                    nameStart: nameStart, nameEnd: valueStart, valueStart: valueStart,
                    valueEnd: environment.count))
        }
    }

    /// The value of a parameter such as `REQUEST_METHOD` or `HTTP_AUTHORIZATION`.
    ///
    /// Of several parameters with one name the first counts: nginx sends those of its own
    /// configuration before those it makes of the client's headers. Bytes that are not UTF-8 are
    /// replaced by U+FFFD. A value ends at its first NUL byte (libfcgi hands out C strings).
    public subscript(_ name: String) -> String? {
        bytes(of: name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The bytes of a parameter, as they came.
    public func bytes(of name: String) -> ArraySlice<UInt8>? {
        let parameter = unsafe name.utf8.span.withUnsafeBufferPointer { wanted in
            unsafe environment.withUnsafeBytes { environment in
                parameters.first {
                    guard $0.nameEnd - $0.nameStart == wanted.count else { return false }
                    guard let names = environment.baseAddress,
                        let start = wanted.baseAddress
                    else { return wanted.isEmpty }
                    return unsafe memcmp(names + $0.nameStart, start, wanted.count) == 0
                }
            }
        }
        return parameter.map { environment[$0.valueStart..<$0.valueEnd] }
    }
}

extension Request {
    /// Copies a `NULL`-ended array of `name=value` strings, which libfcgi frees with the request.
    init(copying variables: UnsafePointer<UnsafeMutablePointer<CChar>?>) {
        var count = 0
        while unsafe variables[count] != nil { count += 1 }
        var entries: [Parameter] = []
        entries.reserveCapacity(count)
        var total = 0
        while let variable = unsafe variables[entries.count] {
            let size = unsafe strlen(variable)
            let sign = unsafe memchr(variable, CInt(UInt8(ascii: "=")), size)
            let nameLength =
                unsafe sign.map { unsafe $0 - UnsafeMutableRawPointer(variable) } ?? size
            entries.append(
                Parameter(
                    nameStart: total, nameEnd: total + nameLength,
                    valueStart: total + min(nameLength + 1, size), valueEnd: total + size))
            total += size
        }
        environment = unsafe [UInt8](unsafeUninitializedCapacity: total) { buffer, count in
            for (index, entry) in entries.enumerated() {
                let size = entry.valueEnd - entry.nameStart
                guard let target = buffer.baseAddress, let source = unsafe variables[index]
                else { break }
                unsafe memcpy(target + entry.nameStart, source, size)
            }
            count = total
        }
        parameters = entries
        body = []
    }
}
