/// The comparison of one password with one stored hash: what to compute, and what the result means.
struct PasswordCheck {
    private let secret: PasswordSecret
    private let mark: String
    /// The stored hash, or the dummy in its place.
    private let reference: String
    /// Nil where nothing can match.
    private let storedCost: Int?

    init(_ password: String, stored: String?, dummyHash: String) {
        secret = PasswordSecret(password)
        let (mark, hash) = PasswordSecret.split(stored ?? dummyHash)
        self.mark = mark
        storedCost = stored == nil ? nil : Bcrypt.cost(of: hash)
        reference = storedCost == nil ? dummyHash : hash
    }

    func job(for caller: PasswordCaller) -> HashingJob {
        HashingJob(secret.bytes, setting: reference, for: caller)
    }

    /// - Parameter cost: today's.
    func verdict(_ computed: String, cost: Int) -> PasswordHasher.Verdict {
        let equal = Digest.constantTimeEqual(Array(computed.utf8), Array(reference.utf8))
        guard let storedCost, equal, mark == secret.mark else {
            return .init(matches: false, needsRenewal: false)
        }
        return .init(matches: true, needsRenewal: storedCost < cost)
    }
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
