/// Hashes and checks passwords without letting them take over the machine: on threads that run when nobody else wants the processor, behind
/// a bounded queue.
public final class PasswordHasher: Sendable {
    /// What a check of a password found.
    public struct Verdict: Sendable {
        public let matches: Bool
        /// The stored hash is weaker than today's, or of another form of the password: hash the password anew and keep that.
        public let needsRenewal: Bool
    }

    let cost: Int
    let queue: HashingQueue
    /// What an unknown account's password is checked against, so that its answer takes as long. It matches nothing that anybody knows.
    let dummyHash: String

    /// - Parameters:
    ///   - cost: bcrypt rounds as a power of two, 10 to 14.
    ///   - concurrency: threads; more than the processors only makes each slower.
    ///   - limit: callers that may wait in each of the two lanes (`PasswordCaller`); one more is refused at once, and so is who would
    ///     probably wait for more than four fifths of `timeout`.
    ///   - timeout: the longest wait in the queue, and the longest for the computation, which may get no processor.
    ///   - isIdle: false for tests, which would wait for whatever else the machine does.
    ///   - report: told why the threads cannot be at SCHED_IDLE, if so; once.
    public init(
        cost: Int = 12, concurrency: Int = 1, limit: Int = 16, timeout: Duration = .seconds(5),
        isIdle: Bool = true, report: @escaping @Sendable (String) -> Void = { _ in }
    ) throws {
        self.cost = cost
        dummyHash = try Bcrypt.unmatchable(cost: cost)
        queue = try HashingQueue(
            concurrency: concurrency, limit: limit, timeout: timeout, isIdle: isIdle,
            report: report)
    }

    deinit { queue.close() }

    /// The text to store for a password of any length and content.
    ///
    /// - Throws: `CryptographyError.hashingQueueFull` where there is too much to do, `CancellationError`.
    public func hash(
        _ password: String, for caller: PasswordCaller = .newDevice
    ) async throws -> String {
        let secret = PasswordSecret(password)
        let setting = try Bcrypt.setting(cost: cost, salt: SecureRandom.bytes(16))
        let job = HashingJob(secret.bytes, setting: setting, for: caller)
        return try await secret.mark + queue.result(of: job)
    }

    /// Compares a password with a stored hash; nil stands for an account that does not exist.
    ///
    /// The bcrypt work is done whatever is stored: an unknown account, a hash of the other form and a wrong password take the same time.
    /// - Parameters:
    ///   - password: normalized, as `hash` got it.
    ///   - original: the password as it was sent, where hashes may have been made of that. It is tried where its bytes differ from those
    ///     of `password` and that does not match.
    /// - Throws: `CryptographyError.hashingQueueFull` where there is too much to do or the same user's last check is not done,
    ///   `CancellationError`.
    public func verify(
        _ password: String, orAsSent original: String? = nil, against stored: String?,
        for caller: PasswordCaller
    ) async throws -> Verdict {
        let check = PasswordCheck(password, stored: stored, dummyHash: dummyHash)
        let computed = try await queue.result(of: check.job(for: caller))
        let verdict = check.verdict(computed, cost: cost)
        // Two strings that differ by their normal form alone are equal to Swift.
        guard !verdict.matches, let original, !original.utf8.elementsEqual(password.utf8) else {
            return verdict
        }
        let matches = try await verify(original, against: stored, for: caller).matches
        return Verdict(matches: matches, needsRenewal: matches)
    }

    /// Whether a call for this caller would be refused now.
    public func isFull(for caller: PasswordCaller) -> Bool { !queue.accepts(caller) }

    /// Refuses a sign-in for which there is no room, before any other work is done for it.
    ///
    /// - Parameter isKnown: asked only where there is no room for new devices.
    /// - Throws: `CryptographyError.hashingQueueFull`, and what `isKnown` throws.
    public func rejectIfFull(unless isKnown: () async throws -> Bool) async throws {
        guard isFull(for: .newDevice), try await !isKnown() else { return }
        queue.countRefusal()
        throw CryptographyError.hashingQueueFull
    }

    /// Refuses whoever waits, and all later calls; what is being computed is finished. Returns at once.
    public func close() { queue.close() }

    public var statistics: HashingStatistics { queue.statistics }
}
