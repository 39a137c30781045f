import Glibc

/// What a process does that was started to compute hashes: it answers one job after another until nobody is there to ask.
public enum HashingService {
    /// Answers what comes from standard input on standard output.
    public static func run() {
        Priority.takeLittle()
        Pauses.prepare()
        var isBehindAll = false
        while let job = next() {
            // It is not always to be had at once.
            isBehindAll = isBehindAll || Priority.goBehindAllSessions()
            // An empty answer would look like the end.
            let answer = Array(Pauses.during { (try? job.result()) ?? "*" }.utf8)
            guard unsafe write(STDOUT_FILENO, answer, answer.count) == answer.count else { return }
        }
    }

    private static func next() -> HashingJob? {
        var bytes = [UInt8](repeating: 0, count: HashingJob.room)
        let count = unsafe read(STDIN_FILENO, &bytes, bytes.count)
        return HashingJob(message: bytes.prefix(max(0, count)))
    }
}
