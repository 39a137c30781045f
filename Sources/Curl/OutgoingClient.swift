import CCurl
import EventLoop
import Glibc
import Synchronization

/// Sends requests to other people's servers, any number at once, on a thread of its own: HTTPS alone, by HTTP/2 where the
/// server speaks it, no redirects, no proxy, no cookies.
public final class OutgoingClient: Sendable {
    private struct Waiting: Sendable {
        let make: @Sendable () -> OutgoingRequest?
        let done: @Sendable (OutgoingResult) -> Void
    }

    private struct State {
        var incoming: [Waiting] = []
        var isRunning = false
        var isClosed = false
    }

    private let state = Mutex(State())
    private let multi: Multi
    private let timeLimit: Duration

    /// - Parameters:
    ///   - timeLimit: for one request, the way to the server included.
    ///   - connections: to one host, at most.
    public init(timeLimit: Duration = .seconds(20), connections: Int = 4) {
        self.timeLimit = timeLimit
        multi = Multi(connections: connections)
    }

    /// - Parameters:
    ///   - make: called on the client's thread, where it may take its time.
    ///   - done: called there too, once.
    public func send(
        _ make: @escaping @Sendable () -> OutgoingRequest?, _ done: @escaping @Sendable (OutgoingResult) -> Void
    ) {
        let isTaken = state.withLock { state in
            guard !state.isClosed, state.isRunning || start() else { return false }
            state.isRunning = true
            state.incoming.append(Waiting(make: make, done: done))
            return true
        }
        guard isTaken else { return done(.failed(reason: "closed")) }
        multi.wakeUp()
    }

    /// Breaks off what is under way, of which nobody hears any more.
    public func close() {
        state.withLock { $0.isClosed = true }
        multi.wakeUp()
    }

    private func start() -> Bool {
        do throws(SystemCallError) {
            try DedicatedThread(stackBytes: 512 << 10) { [self] in
                DedicatedThread.setName("outgoing")
                run()
            }.detach()
            return true
        } catch {
            return false
        }
    }

    private func run() {
        while true {
            let (incoming, isClosed) = state.withLock { state in
                defer { state.incoming.removeAll(keepingCapacity: true) }
                return (state.incoming, state.isClosed)
            }
            if isClosed { return multi.close() }
            for waiting in incoming {
                guard let request = waiting.make() else {
                    waiting.done(.notMade)
                    continue
                }
                multi.add(Transfer(request, timeLimit: timeLimit, done: waiting.done))
            }
            multi.perform()
        }
    }
}

/// libcurl's many transfers at once. But for `wakeUp`, the client's thread alone uses it.
///
/// Unchecked because the compiler cannot see that.
@safe private final class Multi: @unchecked Sendable {
    private let handle: OpaquePointer?
    /// By their handles' addresses.
    private var transfers: [UInt: Transfer] = [:]
    private var lookedAt: UInt64 = 0
    private let isOver = Mutex(false)

    init(connections: Int) {
        _ = Curl.isReady
        unsafe handle = unsafe OpaquePointer(curl_multi_init())
        set(CURLMOPT_MAX_HOST_CONNECTIONS, connections)
        set(CURLMOPT_MAXCONNECTS, 64)
        set(CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
    }

    deinit { close() }

    private func set(_ option: CURLMoption, _ value: Int) {
        _ = unsafe bb_curl_multi_set_number(pointer, option, value)
    }

    private var pointer: UnsafeMutableRawPointer? { unsafe UnsafeMutableRawPointer(handle) }

    /// From any thread.
    func wakeUp() { isOver.withLock { if !$0 { _ = unsafe curl_multi_wakeup(pointer) } } }

    func add(_ transfer: Transfer) {
        guard let easy = unsafe transfer.handle, unsafe curl_multi_add_handle(pointer, easy) == CURLM_OK else {
            return transfer.end(.failed(reason: "out of memory"))
        }
        transfers[UInt(bitPattern: easy)] = transfer
    }

    /// Goes on with all transfers until one can, or there are others.
    func perform() {
        var running: CInt = 0
        _ = unsafe curl_multi_perform(pointer, &running)
        var left: CInt = 0
        while let message = unsafe curl_multi_info_read(pointer, &left) {
            guard unsafe message.pointee.msg == CURLMSG_DONE, let easy = unsafe message.pointee.easy_handle else {
                continue
            }
            let code = unsafe message.pointee.data.result
            _ = unsafe curl_multi_remove_handle(pointer, easy)
            transfers.removeValue(forKey: UInt(bitPattern: easy))?.end(code)
        }
        endOverdue()
        _ = unsafe curl_multi_poll(pointer, nil, 0, transfers.isEmpty ? 60_000 : 1000, nil)
    }

    /// libcurl does not look at the time of those that wait for a connection.
    private func endOverdue() {
        let now = Monotonic.now
        guard now >= lookedAt + 1_000_000_000 else { return }
        lookedAt = now
        for (address, transfer) in transfers where now >= transfer.deadline {
            _ = unsafe curl_multi_remove_handle(pointer, transfer.handle)
            transfers[address] = nil
            transfer.end(CURLE_OPERATION_TIMEDOUT)
        }
    }

    func close() {
        let wasOver = isOver.withLock { isOver in
            defer { isOver = true }
            return isOver
        }
        guard !wasOver else { return }
        for transfer in transfers.values { _ = unsafe curl_multi_remove_handle(pointer, transfer.handle) }
        transfers.removeAll()
        _ = unsafe curl_multi_cleanup(pointer)
    }
}

/// One request on its way.
@safe private final class Transfer {
    let handle: UnsafeMutableRawPointer?
    private var headers: UnsafeMutablePointer<curl_slist>?
    private var addresses: UnsafeMutablePointer<curl_slist>?
    private var answer: [UInt8] = []
    private var answered = 0
    private let mark: ReachMark
    private let done: @Sendable (OutgoingResult) -> Void
    /// By when it must be over.
    let deadline: UInt64
    private static let kept = 1024
    /// Whoever answers more is not listened to any longer: what it says by its status is known.
    private static let heard = 65_536

    init(_ request: OutgoingRequest, timeLimit: Duration, done: @escaping @Sendable (OutgoingResult) -> Void) {
        self.done = done
        mark = ReachMark(request.reach)
        // libcurl's own limit comes first, where it looks.
        deadline = Monotonic.now + UInt64(timeLimit / .nanoseconds(1)) + 500_000_000
        unsafe handle = unsafe curl_easy_init()
        let milliseconds = Int(timeLimit / .milliseconds(1))
        set(CURLOPT_URL, request.url)
        set(CURLOPT_PROTOCOLS_STR, "https")
        set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        // Many requests share a connection, where the server lets them.
        set(CURLOPT_PIPEWAIT, 1)
        set(CURLOPT_TIMEOUT_MS, milliseconds)
        set(CURLOPT_CONNECTTIMEOUT_MS, min(10_000, milliseconds))
        set(CURLOPT_MAXLIFETIME_CONN, 3600)
        set(CURLOPT_FOLLOWLOCATION, 0)
        // A name server that does not answer is not waited for, as all requests are on one thread.
        set(CURLOPT_QUICK_EXIT, 1)
        // Signals are the process's own, and so is the environment's proxy.
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_PROXY, "")
        switch request.reach {
        case .loopback(_, let authorities?): set(CURLOPT_CAINFO, authorities)
        case .internet(_, let authorities?):
            set(CURLOPT_CAINFO, authorities)
            set(CURLOPT_CAPATH, "/etc/ssl/certs")
        default: break
        }
        _ = unsafe bb_curl_set_opener(handle, Reach.open, Unmanaged.passUnretained(mark).toOpaque())
        for (name, value) in request.headers { unsafe headers = unsafe curl_slist_append(headers, "\(name): \(value)") }
        // libcurl's own, which say nothing here.
        for name in ["Expect", "Accept"] { unsafe headers = unsafe curl_slist_append(headers, "\(name):") }
        _ = unsafe bb_curl_set_list(handle, CURLOPT_HTTPHEADER, headers)
        for address in request.addresses { unsafe addresses = unsafe curl_slist_append(addresses, address) }
        if !request.addresses.isEmpty { _ = unsafe bb_curl_set_list(handle, CURLOPT_RESOLVE, addresses) }
        set(CURLOPT_POST, 1)
        _ = unsafe bb_curl_set_body(handle, request.body, request.body.count)
        _ = unsafe bb_curl_set_writer(handle, Self.write, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        unsafe curl_easy_cleanup(handle)
        unsafe curl_slist_free_all(headers)
        unsafe curl_slist_free_all(addresses)
    }

    func end(_ code: CURLcode) {
        guard code == CURLE_OK || code == CURLE_WRITE_ERROR && answered > Self.heard else {
            return end(.failed(reason: unsafe String(cString: curl_easy_strerror(code))))
        }
        let retryAfter = unsafe bb_curl_retry_after(handle)
        end(
            .answered(
                OutgoingAnswer(
                    status: unsafe bb_curl_response_code(handle), retryAfter: retryAfter > 0 ? retryAfter : nil,
                    body: answer)))
    }

    func end(_ result: OutgoingResult) { done(result) }

    private static let write: curl_write_callback = { bytes, size, count, argument in
        guard let bytes = unsafe bytes, let argument = unsafe argument else { return 0 }
        let transfer = unsafe Unmanaged<Transfer>.fromOpaque(argument).takeUnretainedValue()
        let piece = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
        unsafe transfer.answer.append(contentsOf: piece.prefix(max(0, kept - transfer.answer.count)))
        transfer.answered += size * count
        return transfer.answered > heard ? 0 : size * count
    }

    private func set(_ option: CURLoption, _ number: Int) { _ = unsafe bb_curl_set_number(handle, option, number) }

    private func set(_ option: CURLoption, _ text: String) { _ = unsafe bb_curl_set_text(handle, option, text) }
}
