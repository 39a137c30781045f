import BabyBasicsAPI
import FoundationEssentials
public import SharedMemory
import Synchronization

/// Counts requests against their users: 100 in a minute of this host's clock, over all sessions and all workers of the host; and as many of
/// each token of another program.
///
/// A request is counted before the database is asked wherever the token was seen before, so that a refusal costs nothing. To whom a token
/// belongs never changes; whether it is still good is for the database to say.
public final class UserLimit: Sendable {
    static let requestsPerMinute = 100
    private static let owners = 65_536

    private let table: RateLimitTable
    /// Two generations, so that what is in use stays: the older one goes when the newer is full.
    private let known = Mutex<(newer: [UInt64: Owner], older: [UInt64: Owner])>(([:], [:]))

    /// To whom a token belongs, and by what its requests are counted: a program's by the token itself.
    struct Owner {
        let user: UserID
        let counter: UInt128
    }

    public init(_ table: RateLimitTable) { self.table = table }

    func user(of token: BearerToken) -> UserID? { owner(of: token)?.user }

    func owner(of token: BearerToken) -> Owner? {
        known.withLock { $0.newer[token.number] ?? $0.older[token.number] }
    }

    func learn(_ caller: Caller, of token: BearerToken) {
        known.withLock { known in
            if known.newer[token.number] != nil { return }
            if known.newer.count >= Self.owners { known = ([:], known.newer) }
            let counter = token.kind == .program ? caller.sessionID.bits : caller.userID.bits
            known.newer[token.number] = Owner(user: caller.userID, counter: counter)
        }
    }

    func forget(_ token: BearerToken) {
        known.withLock {
            $0.newer[token.number] = nil
            $0.older[token.number] = nil
        }
    }

    /// Returns the number of the request in its minute, more than `requestsPerMinute` for one that is refused.
    func count(_ owner: Owner, at now: Timestamp) -> Int {
        table.count(user: owner.counter, minute: now.minute, limit: Self.requestsPerMinute)
    }

    func takeBack(_ owner: Owner, at now: Timestamp) {
        table.refund(user: owner.counter, minute: now.minute)
    }
}

extension RequestContext {
    /// Counts the request, once, if it is of an endpoint that counts and its user is known.
    /// - Throws: `APIError` 429 with `Retry-After`.
    func countIfKnown(_ token: BearerToken) throws {
        guard endpoint.limit == .user, countedAt == nil, let owner = services.userLimit.owner(of: token)
        else { return }
        countedAt = now
        let number = services.userLimit.count(owner, at: now)
        let reset = 60 - Int((now.microsecondsSince1970 / 1_000_000) % 60)
        let limit = UserLimit.requestsPerMinute
        rateLimit = RateLimitState(limit: limit, remaining: max(0, limit - number), reset: reset)
        if number > limit { throw tooManyRequests(.user, retryAfter: reset) }
    }

    /// For a token whose session has ended: whose it was must not pay for it.
    func takeBackCount(of token: BearerToken) {
        if let countedAt, let owner = services.userLimit.owner(of: token) {
            services.userLimit.takeBack(owner, at: countedAt)
        }
        rateLimit = nil
        services.userLimit.forget(token)
    }
}

extension Timestamp {
    /// Whole minutes since 1970.
    fileprivate var minute: Int { Int(microsecondsSince1970 / 60_000_000) }
}

extension Identifier {
    /// As a number.
    var bits: UInt128 {
        withUnsafeBytes(of: uuid.uuid) { unsafe $0.loadUnaligned(as: UInt128.self) }
    }
}
