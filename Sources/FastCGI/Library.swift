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

    static func initialize() throws(FastCGIError) {
        if initialization != 0 { throw .systemCall("FCGX_Init", errno: ENOMEM) }
    }
}
