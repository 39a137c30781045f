import CCurl

/// A connection to a mail server, made with the first mail and kept for those that follow.
///
/// Unchecked because libcurl's handles may go from thread to thread, and whoever has this uses it on one at a time.
@safe public final class MailConnection: @unchecked Sendable {
    private var handle: UnsafeMutableRawPointer?
    private let server: MailServer

    /// A mail takes no longer, whatever the server does.
    public static let timeLimit = Duration.seconds(40)

    /// - Parameter timeLimit: for one mail, the way to the server included.
    public init(_ server: MailServer, timeLimit: Duration = MailConnection.timeLimit) {
        self.server = server
        _ = Curl.isReady
        unsafe handle = unsafe curl_easy_init()
        let milliseconds = Int(timeLimit / .milliseconds(1))
        set(CURLOPT_TIMEOUT_MS, milliseconds)
        set(CURLOPT_CONNECTTIMEOUT_MS, min(10_000, milliseconds))
        // Of one answer, of that to QUIT too.
        set(CURLOPT_SERVER_RESPONSE_TIMEOUT, 20)
        // Signals are the process's own, and so is the environment's proxy.
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_PROXY, "")
        set(CURLOPT_PROTOCOLS_STR, "smtp,smtps")
        set(CURLOPT_URL, server.url)
        let security = server.security == .startTLS ? CURLUSESSL_ALL : CURLUSESSL_NONE
        set(CURLOPT_USE_SSL, Int(security.rawValue))
        if let authorities = server.authorities { set(CURLOPT_CAINFO, authorities) }
        // What the server says is nobody's to read.
        _ = unsafe bb_curl_set_writer(handle, { _, size, count, _ in size * count }, nil)
    }

    deinit { close() }

    /// Takes leave of the server. Blocks. After this no mail is taken.
    public func close() {
        unsafe curl_easy_cleanup(handle)
        unsafe handle = nil
    }

    /// Hands a mail in. Blocks.
    /// - Parameter message: with CRLF at the end of each line.
    public func send(_ message: [UInt8], from sender: String, to recipient: String) throws(MailFailure) {
        let recipients = unsafe curl_slist_append(nil, "<\(recipient)>")
        defer { unsafe curl_slist_free_all(recipients) }
        set(CURLOPT_MAIL_FROM, "<\(sender)>")
        _ = unsafe bb_curl_set_list(handle, CURLOPT_MAIL_RCPT, recipients)
        set(CURLOPT_UPLOAD, 1)
        var rest = Rest(bytes: message[...])
        try unsafe withUnsafeMutablePointer(to: &rest) { (rest) throws(MailFailure) in
            _ = unsafe bb_curl_set_reader(handle, Self.read, rest)
            try perform()
        }
    }

    /// Connects and signs in. Blocks.
    public func check() throws(MailFailure) {
        set(CURLOPT_NOBODY, 1)
        set(CURLOPT_CUSTOMREQUEST, "NOOP")
        try perform()
    }

    /// What libcurl has yet to take of a message.
    private struct Rest { var bytes: ArraySlice<UInt8> }

    private static let read: curl_read_callback = { target, size, count, argument in
        guard let target = unsafe target, let rest = unsafe argument?.assumingMemoryBound(to: Rest.self) else {
            return 0
        }
        let piece = unsafe rest.pointee.bytes.prefix(size * count)
        unsafe rest.pointee.bytes.removeFirst(piece.count)
        let room = unsafe UnsafeMutableRawBufferPointer(start: target, count: size * count)
        unsafe room.copyBytes(from: piece)
        return piece.count
    }

    private func perform() throws(MailFailure) {
        let code = unsafe curl_easy_perform(handle)
        guard code != CURLE_OK else { return }
        let answer = unsafe bb_curl_response_code(handle)
        let reason = unsafe String(cString: curl_easy_strerror(code))
        let isOfMail = (code == CURLE_SEND_ERROR || code == CURLE_WEIRD_SERVER_REPLY) && answer >= 400 && answer != 421
        throw MailFailure(
            description: answer > 0 ? "\(reason); the server answered \(answer)" : reason, isOfServer: !isOfMail)
    }

    private func set(_ option: CURLoption, _ number: Int) { _ = unsafe bb_curl_set_number(handle, option, number) }

    private func set(_ option: CURLoption, _ text: String) { _ = unsafe bb_curl_set_text(handle, option, text) }
}

enum Curl {
    /// Once a process, before the first handle.
    static let isReady = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK
}
