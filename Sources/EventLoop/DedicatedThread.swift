import Glibc

/// A thread of the operating system, for what would block a loop.
public struct DedicatedThread: Sendable {
    private let identifier: pthread_t

    /// Starts `body` with all signals blocked but those that tell of a fault in the thread itself.
    public init(stackBytes: Int, _ body: @escaping @Sendable () -> Void) throws(SystemCallError) {
        var attributes = pthread_attr_t()
        _ = unsafe pthread_attr_init(&attributes)
        defer { _ = unsafe pthread_attr_destroy(&attributes) }
        _ = unsafe pthread_attr_setstacksize(&attributes, stackBytes)

        // The new thread begins with its maker's mask; set here, no signal comes in between.
        var blocked = sigset_t()
        var before = sigset_t()
        _ = unsafe sigfillset(&blocked)
        for signal in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS] {
            _ = unsafe sigdelset(&blocked, signal)
        }
        _ = unsafe pthread_sigmask(SIG_SETMASK, &blocked, &before)
        defer { _ = unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }

        let start = unsafe Unmanaged.passRetained(Start(body: body))
        var thread = pthread_t()
        let result = unsafe pthread_create(
            &thread, &attributes,
            { argument in
                guard let argument = unsafe argument else { return nil }
                unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            }, start.toOpaque())
        guard result == 0 else {
            unsafe start.release()
            throw SystemCallError("pthread_create", errno: result)
        }
        identifier = thread
    }

    /// Waits for its end; once.
    public func join() { _ = pthread_join(identifier, nil) }

    /// Of the calling thread, as debuggers and `/proc` show it; 15 bytes at most.
    public static func setName(_ name: String) {
        // pthread_setname_np is not to be had from Swift.
        let file = unsafe open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = unsafe write(file, name, name.utf8.count)
        close(file)
    }

    /// Lets it run for as long as the process.
    public func detach() { _ = pthread_detach(identifier) }

    private final class Start: Sendable {
        let body: @Sendable () -> Void

        init(body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
