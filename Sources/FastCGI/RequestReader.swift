import CFastCGI
import Glibc

/// Reads requests by libfcgi, one at a time, from connections on which they have arrived.
///
/// libfcgi's streams keep its request's address, so that lives in memory of its own and never moves.
/// Of libfcgi 2.4.2 this relies on:
/// - `FCGX_Accept_r` takes `ipcFd` as the connection if it is set, after finishing the request before, which must not
///   give it up: hence `keepConnection = 1`. It then sets `keepConnection` to what the peer asked for.
/// - When the parameters do not arrive whole, it closes `ipcFd` and accepts another connection: from descriptor -1, so
///   it returns `-EBADF`.
/// - `FCGX_Finish_r` would write an end of its own. So it never gets to see an unfinished request: `FCGX_Free` instead.
///   Its streams for the answer stay unused, and write nothing when they are freed.
@safe final class RequestReader {
    private let request: UnsafeMutablePointer<FCGX_Request>

    /// After `Library.initialize()`.
    init() {
        unsafe request = .allocate(capacity: 1)
        _ = unsafe FCGX_InitRequest(request, -1, 0)
    }

    deinit { unsafe request.deallocate() }

    enum Outcome: Sendable {
        case request(Request, RequestHead)
        case refused(Refusal, RequestHead)
        /// The peer went away, aborted, or broke the protocol: nobody waits for an answer.
        /// `isClosed`: libfcgi has closed the descriptor.
        case broken(isClosed: Bool)
    }

    /// Reads one request whole. It waits for what has not arrived.
    func read(from descriptor: CInt, maximumBodyBytes: Int) -> Outcome {
        guard begin(descriptor) else {
            let isClosed = unsafe request.pointee.ipcFd < 0
            _ = end()
            return .broken(isClosed: isClosed)
        }
        var parameters = self.parameters()
        let length = ContentLength(parameters.bytes(of: "CONTENT_LENGTH"))
        let body = readBody(length: length, maximumBytes: maximumBodyBytes)
        let head = end()
        switch body {
        case .complete(let bytes):
            parameters.body = bytes
            return .request(parameters, head)
        case .refused(let refusal): return .refused(refusal, head)
        case .broken: return .broken(isClosed: false)
        }
    }

    /// Returns false where the peer went away, aborted, or broke the protocol.
    private func begin(_ descriptor: CInt) -> Bool {
        unsafe request.pointee.ipcFd = descriptor
        unsafe request.pointee.keepConnection = 1
        guard unsafe FCGX_Accept_r(request) == 0, let input = unsafe request.pointee.in
        else { return false }
        // What breaks off between two parameters is their end to libfcgi, and a success.
        return unsafe FCGX_GetError(input) == 0
    }

    /// The parameters, copied.
    private func parameters() -> Request {
        guard let variables = unsafe request.pointee.envp else { return Request(parameters: []) }
        return unsafe Request(copying: variables)
    }

    private enum Body {
        case complete([UInt8])
        case refused(Refusal)
        case broken
    }

    /// Reads the whole body, to the end of the stream: what stayed unread would be taken for the next request on a
    /// kept connection.
    private func readBody(length: ContentLength, maximumBytes: Int) -> Body {
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

    /// Frees what belongs to this request and takes the descriptor back, still open.
    private func end() -> RequestHead {
        let head = RequestHead(
            id: UInt16(truncatingIfNeeded: unsafe request.pointee.requestId),
            keepsConnection: unsafe request.pointee.keepConnection != 0)
        unsafe request.pointee.ipcFd = -1
        unsafe FCGX_Free(request, 0)
        return head
    }
}

/// What the answer to a request has to know of it.
struct RequestHead: Sendable {
    let id: UInt16
    /// Whether the peer asked to keep the connection.
    let keepsConnection: Bool
}

/// `CONTENT_LENGTH`, taken literally: digits and nothing else. Absent or empty it is 0, which is how nginx says that
/// there is no body.
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
