/// Hashes and checks passwords without letting them take over the machine: a bounded number at a time, a bounded queue behind them.
public final class PasswordHasher: Sendable {
    /// What a check of a password found.
    public struct Verdict: Sendable {
        public let matches: Bool
        /// The stored hash is weaker than today's: hash the password anew and keep that.
        public let needsRenewal: Bool
    }

    private let cost: Int
    private let gate: Gate
    private let places: HostPlaces?
    private let processes: HashingProcesses?
    /// What an unknown account's password is checked against, so that its answer takes as long. It matches nothing that anybody knows.
    private let decoy: String

    /// - Parameters:
    ///   - cost: bcrypt rounds as a power of two, 10 to 14.
    ///   - concurrency: hashes computed at the same time; more than the processors only makes each slower.
    ///   - queue: callers that may wait beyond those, first come, first served; one more is turned away at once, and so is who would wait
    ///     for more than four fifths of `patience`.
    ///   - patience: the longest wait in the queue.
    ///   - places: of the host, for one of which each of those `concurrency` waits besides.
    ///   - processes: where hashes are computed; nil for the calling thread.
    public init(
        cost: Int = 12, concurrency: Int, queue: Int, patience: Duration, places: HostPlaces? = nil,
        processes: HashingProcesses? = nil
    ) throws {
        self.cost = cost
        self.places = places
        self.processes = processes
        self.gate = Gate(width: concurrency, queue: queue, patience: patience)
        self.decoy = try Bcrypt.unmatchable(cost: cost)
    }

    /// The text to store for a password of any length and content.
    /// - Throws: `CryptographyError`.
    public func hash(_ password: String) throws -> String {
        let secret = PasswordSecret(password)
        let setting = try Bcrypt.setting(cost: cost, salt: SecureRandom.bytes(16))
        let job = HashingJob(secret.bytes, setting: setting)
        return try secret.mark + gate.enter { try compute(job) }
    }

    /// Compares a password with a stored hash; nil stands for an account that does not exist.
    ///
    /// The bcrypt work is done whatever is stored: an unknown account, a hash of the other form and a wrong password take the same time.
    /// - Parameter isPreferred: goes before those that are not, and has room in a queue that they have filled.
    /// - Throws: `CryptographyError`.
    public func verify(
        _ password: String, against stored: String?, isPreferred: Bool = false
    ) throws -> Verdict {
        let secret = PasswordSecret(password)
        let (mark, hash) = PasswordSecret.split(stored ?? decoy)
        let storedCost = stored == nil ? nil : Bcrypt.cost(of: hash)
        let reference = storedCost == nil ? decoy : hash
        let job = HashingJob(secret.bytes, setting: reference)
        let computed = try gate.enter(isPreferred: isPreferred) { try compute(job) }
        let equal = Digest.constantTimeEqual(Array(computed.utf8), Array(reference.utf8))
        guard let storedCost, equal, mark == secret.mark else {
            return Verdict(matches: false, needsRenewal: false)
        }
        return Verdict(matches: true, needsRenewal: storedCost < cost)
    }

    private func compute(_ job: HashingJob) throws -> String {
        func body() throws -> String { try processes?.result(of: job) ?? job.result() }
        return try places?.take(body) ?? body()
    }

    /// Turns a caller away whom `verify` would turn away now, before any other work is done for it.
    ///
    /// - Parameter isPreferred: see `verify`; asked only where the queue is full.
    /// - Throws: `CryptographyError.hashingQueueFull`, and what `isPreferred` throws.
    public func turnAwayIfFull(isPreferred: () throws -> Bool) throws {
        guard gate.isFull, try !isPreferred() else { return }
        gate.countTurnedAway()
        throw CryptographyError.hashingQueueFull
    }

    /// Ends the processes that have nothing to do; no more passwords are to be hashed.
    public func close() { processes?.endIdle() }

    /// How many are being hashed and how many wait for it, now, and how many have been.
    public var statistics: GateStatistics { gate.statistics }
}

/// What bcrypt is given for a password: it reads 72 bytes and stops at NUL, so anything else is made to fit first and marked.
struct PasswordSecret {
    /// Stands before a stored hash whose password was shortened: without it, the base64 text itself would open the account.
    static let shortenedMark = "sha384:"

    let bytes: [UInt8]
    let mark: String

    init(_ password: String) {
        let utf8 = Array(password.utf8)
        if utf8.count <= 72, !utf8.contains(0) {
            bytes = utf8
            mark = ""
        } else {
            bytes = Array(Encoding.base64(Digest.sha384(utf8)).utf8)
            mark = Self.shortenedMark
        }
    }

    static func split(_ stored: String) -> (mark: String, hash: String) {
        stored.hasPrefix(shortenedMark)
            ? (shortenedMark, String(stored.dropFirst(shortenedMark.count))) : ("", stored)
    }
}
