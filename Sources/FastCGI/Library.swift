import CFastCGI
import Glibc

/// libfcgi's global state, set up once in a process.
enum Library {
    /// 0, or libfcgi's error.
    private static let initialization: CInt = {
        // FCGX_Init puts handlers of its own on these three, without SA_RESTART, and the one for
        // SIGTERM would swallow it. Ours decide.
        let signals = [SIGTERM, SIGUSR1, SIGPIPE]
        let before = signals.map { signal in
            var action = sigaction()
            _ = unsafe sigaction(signal, nil, &action)
            return action
        }
        let result = FCGX_Init()
        for (signal, action) in zip(signals, before) {
            var action = action
            _ = unsafe sigaction(signal, &action, nil)
        }
        // A peer that is gone is an error of write(), nothing to die of.
        signal(SIGPIPE, SIG_IGN)
        return result
    }()

    /// Whether libfcgi reads what `FirstBytes` gives it. Otherwise it would wait for bytes that have been taken from the connection.
    private static let readsFirstBytes: Bool = {
        let exchange = Exchange()
        defer { _ = exchange.end() }
        let begin: [UInt8] = [1, 1, 0, 1, 0, 8, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
        let noParameters: [UInt8] = [1, 4, 0, 1, 0, 0, 0, 0]
        exchange.take(begin + noParameters)
        return exchange.begin(Connection(descriptor: .max))
    }()

    static func initialize() throws(FastCGIError) {
        if initialization != 0 { throw .systemCall("FCGX_Init", errno: ENOMEM) }
        if !readsFirstBytes { throw .unsuitableLibrary }
    }
}
