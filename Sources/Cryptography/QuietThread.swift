import Glibc

/// Runs work beside everything else: on a thread of its own, to which the others of the process go first.
///
/// A thread without rights can lower its priority but never raise it again, so each work has a new one; next to bcrypt that costs nothing.
enum QuietThread {
    /// One tenth of a processor's time where others want all of it.
    private static let niceness: CInt = 10

    private final class Work {
        let body: () -> Void
        init(_ body: @escaping () -> Void) { self.body = body }
    }

    /// Waits for `body`. Where there is no thread to be had it runs at once, here.
    static func run<Value>(_ body: () throws -> Value) throws -> Value {
        var result: Result<Value, any Error>?
        withoutActuallyEscaping({ result = Result(catching: body) }) { escaping in
            let work = unsafe Unmanaged.passRetained(Work(escaping))
            var thread = pthread_t()
            let failed = unsafe pthread_create(
                &thread, nil,
                { argument in
                    guard let argument = unsafe argument else { return nil }
                    let work = unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue()
                    // 0 is the calling thread, on Linux.
                    setpriority(CInt(PRIO_PROCESS.rawValue), 0, QuietThread.niceness)
                    work.body()
                    return nil
                }, work.toOpaque())
            if failed == 0 {
                pthread_join(thread, nil)
            } else {
                unsafe work.takeRetainedValue().body()
            }
        }
        guard let result else { throw CryptographyError.hashingFailed }
        return try result.get()
    }
}
