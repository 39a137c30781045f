import Glibc

/// A thread of the operating system, for what would block Swift's concurrency pool or needs a scheduling policy of its own.
enum SystemThread {
    private final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(_ name: String, _ body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// Runs `body` on a new thread, which takes no signals: those are for the thread that waits for them.
    ///
    /// - Parameter name: as `ps -L` shows it, 15 bytes at most.
    static func start(
        _ name: String, _ body: @escaping @Sendable () -> Void
    ) throws(CryptographyError) {
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        unsafe pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
        unsafe pthread_attr_setstacksize(&attributes, 256 << 10)
        // A thread begins with its maker's mask.
        var all = sigset_t()
        var before = sigset_t()
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }

        let start = unsafe Unmanaged.passRetained(Start(name, body))
        var thread = pthread_t()
        let code = unsafe pthread_create(
            &thread, &attributes,
            { argument in
                guard let argument = unsafe argument else { return nil }
                let start = unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
                SystemThread.setName(start.name)
                start.body()
                return nil
            }, start.toOpaque())
        guard code == 0 else {
            unsafe start.release()
            throw .noThread(errno: code)
        }
    }

    private static func setName(_ name: String) {
        // pthread_setname_np is not to be had from Swift.
        let file = unsafe open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = unsafe write(file, name, name.utf8.count)
        close(file)
    }
}
