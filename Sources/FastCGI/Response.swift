/// What a handler answers.
public struct Response: Sendable {
    /// The HTTP status, 200 to 599. Anything else is sent as 500.
    public var status: Int
    /// The headers in the order they are sent. `Status` and `Content-Length` are the worker's own
    /// and left out when given here. CR, LF and NUL, in a name or a value, are sent as spaces.
    public var headers: [(name: String, value: String)]
    /// The body. It is sent whatever the method: for HEAD nginx drops it.
    public var body: [UInt8]

    public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

extension Response {
    /// Puts the CGI header block, its empty line included.
    func putHead(into answer: inout ResponseWriter) {
        let status = (200...599).contains(status) ? status : 500
        answer.put(literal: "Status: ")
        answer.put(decimal: status)
        answer.put(literal: " ")
        answer.put(literal: Response.reason(status))
        for (name, value) in headers where !Response.isReserved(name) {
            answer.put(literal: "\r\n")
            Response.putLine(name, into: &answer)
            answer.put(literal: ": ")
            Response.putLine(value, into: &answer)
        }
        // RFC 9110, 8.6: none with 204; with 304 it would have to be the length of the 200.
        if !(status == 204 || status == 304) || !body.isEmpty {
            answer.put(literal: "\r\nContent-Length: ")
            answer.put(decimal: body.count)
        }
        answer.put(literal: "\r\n\r\n")
    }

    /// A line break inside a value would begin a header, or the body, of someone else's choice.
    private static func putLine(_ text: String, into answer: inout ResponseWriter) {
        if text.utf8.contains(where: isBreak) {
            answer.put(String(decoding: text.utf8.map { isBreak($0) ? UInt8(ascii: " ") : $0 }, as: UTF8.self))
        } else {
            answer.put(text)
        }
    }

    private static func isBreak(_ byte: UInt8) -> Bool {
        // Most bytes are none by the first comparison alone.
        byte <= UInt8(ascii: "\r")
            && (byte == 0 || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n"))
    }

    private static func isReserved(_ name: String) -> Bool {
        switch name.utf8.count {
        case 6: name.lowercased() == "status"
        case 14: name.lowercased() == "content-length"
        default: false
        }
    }

    /// nginx copies the status line as it is, so the reason has to be there.
    private static func reason(_ status: Int) -> StaticString {
        switch status {
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 304: "Not Modified"
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 409: "Conflict"
        case 410: "Gone"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 415: "Unsupported Media Type"
        case 429: "Too Many Requests"
        case 500: "Internal Server Error"
        case 503: "Service Unavailable"
        case ..<300: "Success"
        case ..<400: "Redirection"
        case ..<500: "Client Error"
        default: "Server Error"
        }
    }
}
