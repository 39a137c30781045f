import CFastCGI
import Glibc

/// libfcgi's request, one for each thread, used again for each request it serves.
///
/// libfcgi's streams keep its address, so it lives in memory of its own and never moves.
/// Of libfcgi 2.4.2 this relies on:
/// - It reads by `OS_Read` and closes by `OS_IpcClose` alone, and the program's own come before its (`CFastCGITransport`).
/// - `FCGX_Accept_r` takes `ipcFd` as the connection if it is set, after finishing the request
///   before, which must not give it up: hence `keepConnection = 1`. It then sets `keepConnection`
///   to what the peer asked for.
/// - When the parameters do not arrive whole, it gives `ipcFd` up and accepts another connection:
///   from descriptor -1, so it returns `-EBADF`.
/// - `FCGX_Finish_r` would write an end of its own. So it never gets to see an unfinished request:
///   `FCGX_Free` instead. Its streams for the answer stay unused, and write nothing when they are freed.
@safe final class Exchange {
    private let request: UnsafeMutablePointer<FCGX_Request>
    private var first = FirstBytes()
    private var answer = AnswerStream()

    /// After `Library.initialize()`.
    init() {
        unsafe request = .allocate(capacity: 1)
        _ = unsafe FCGX_InitRequest(request, -1, 0)
    }

    deinit {
        unsafe FCGX_Free(request, 0)
        unsafe request.deallocate()
    }

    /// Takes the first bytes of the next request.
    func take(_ connection: Connection) -> FirstBytes.Kind { first.take(from: connection) }

    /// Takes these for the first bytes of the next request.
    func take(_ bytes: [UInt8]) { first.take(bytes) }

    /// Reads the parameters of the request whose first bytes were taken.
    /// Returns false where the peer went away, aborted, or broke the protocol.
    func begin(_ connection: Connection) -> Bool {
        first.give()
        unsafe request.pointee.ipcFd = connection.descriptor
        unsafe request.pointee.keepConnection = 1
        guard unsafe FCGX_Accept_r(request) == 0, let input = unsafe request.pointee.in
        else { return false }
        // What breaks off between two parameters is their end to libfcgi, and a success.
        return unsafe FCGX_GetError(input) == 0
    }

    /// The parameters, copied.
    func parameters() -> Request {
        guard let variables = unsafe request.pointee.envp else { return Request(parameters: []) }
        return unsafe Request(copying: variables)
    }

    enum Body {
        case complete([UInt8])
        case refused(Refusal)
        /// The peer went away, aborted, or broke the protocol: nobody waits for an answer.
        case broken
    }

    /// Reads the whole body, to the end of the stream: what stayed unread would be taken for the
    /// next request on a kept connection.
    func readBody(length: ContentLength, maximumBytes: Int) -> Body {
        guard case .bytes(let length) = length else { return .refused(.malformedBody) }
        guard length <= maximumBytes else { return .refused(.bodyTooLarge) }
        guard let input = unsafe request.pointee.in else { return .broken }
        let body = unsafe [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            guard let start = buffer.baseAddress, length > 0 else { return }
            count = unsafe start.withMemoryRebound(to: CChar.self, capacity: length) {
                Int(unsafe FCGX_GetStr($0, CInt(length), input))
            }
        }
        let isLonger = unsafe FCGX_GetChar(input) != EOF
        guard unsafe FCGX_GetError(input) == 0 else { return .broken }
        // Longer is refused as well: one of the two lies, and which bytes are the next request's?
        return body.count < length || isLonger ? .refused(.malformedBody) : .complete(body)
    }

    /// Sends the answer and the end of the request. Returns whether all of it was accepted.
    func answer(_ response: Response) -> Bool {
        answer.begin(on: unsafe request.pointee.ipcFd, requestID: unsafe request.pointee.requestId)
        response.putHead(into: &answer)
        answer.put(response.body)
        return answer.end()
    }

    /// Frees what belongs to this request and takes the descriptor back, still open.
    /// Returns whether the peer asked to keep the connection.
    func end() -> Bool {
        let isKept = unsafe request.pointee.keepConnection != 0
        unsafe request.pointee.ipcFd = -1
        unsafe FCGX_Free(request, 0)
        return isKept
    }
}

/// `CONTENT_LENGTH`, taken literally: digits and nothing else. Absent or empty it is 0, which is
/// how nginx says that there is no body.
enum ContentLength: Equatable {
    case bytes(Int)
    case malformed

    init(_ text: ArraySlice<UInt8>?) {
        var value = 0
        for character in text ?? [] {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character) else {
                self = .malformed
                return
            }
            // Past a petabyte it only has to stay too large.
            value = min(value * 10 + Int(character - UInt8(ascii: "0")), 1 << 50)
        }
        self = .bytes(value)
    }
}
