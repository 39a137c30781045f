import Glibc

/// Runs work beside everything else: on a thread of its own, to which the others of the process go first.
///
/// A thread without rights can lower its priority but never raise it again, so each work has a new one; next to bcrypt that costs nothing.
enum QuietThread {
    /// SCHED_IDLE of sched(7), which Glibc's module does not have: the other threads take the processor over as soon as they wake up. They
    /// leave enough of it: beside 20,000 requests a second on two processors a password takes 0.4 s, and 1.1 s without autogroup.
    private static let idlePolicy: CInt = 5

    private final class Work {
        let body: () -> Void
        init(_ body: @escaping () -> Void) { self.body = body }
    }

    /// Waits for `body`. Where there is no thread to be had it runs at once, here.
    static func run<Value>(_ body: () throws -> Value) throws -> Value {
        var result: Result<Value, any Error>?
        withoutActuallyEscaping({ result = Result(catching: body) }, do: start)
        guard let result else { throw CryptographyError.hashingFailed }
        return try result.get()
    }

    private static func start(_ body: @escaping () -> Void) {
        let work = unsafe Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        if unsafe pthread_create(&thread, nil, main, work.toOpaque()) == 0 {
            pthread_join(thread, nil)
        } else {
            unsafe work.takeRetainedValue().body()
        }
    }

    private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? =
        { argument in
            guard let argument = unsafe argument else { return nil }
            let work = unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue()
            // 0 is the calling thread, on Linux.
            var parameters = sched_param()
            _ = unsafe sched_setscheduler(0, idlePolicy, &parameters)
            work.body()
            return nil
        }
}
