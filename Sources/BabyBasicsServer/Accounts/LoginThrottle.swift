import BabyBasicsAPI
import Cryptography
import FastCGI
import Postgres

/// Slows the guessing of one account's password, however many addresses the guesses come from.
///
/// - Ten attempts are free. Each further one must wait after the one before it: half a minute, then twice as long each time, up to 16
///   minutes. That leaves a guesser some hundred attempts a day. A day without attempts forgets.
/// - A stranger must not lock the owner out by failing on purpose. An address that the account was registered or signed in from in the
///   last eight weeks is not held up by others' failures, nor counted: there the limit by address alone applies. Signed-in devices
///   never notice, and the administrator's reset forgets all failures.
/// - An attempt is counted before the password is checked and taken back when it was right. Counted afterwards, any number of attempts
///   sent at once would all be let in.
/// - Emails without an account are counted alike, so that neither the answer nor the work tells which exist.
/// - A wrong check of one's own password counts as well, wherever it comes from: a session is not to be a way round.
/// - The tables hold hashes under a key that the database alone does not open, so that no email and no address can be read from them.
struct LoginAttempt {
    fileprivate let account: [UInt8]
    fileprivate let place: [UInt8]

    /// - Parameters:
    ///   - email: in the one form of `EmailAddress`.
    ///   - key: 32 bytes.
    init(email: String, address: String, key: [UInt8]) {
        account = Digest.hmacSHA256(key: key, message: Array("account:\(email)".utf8))
        // With the account in it, it does not tell which accounts share a home.
        place = Digest.hmacSHA256(
            key: key, message: account + Array(rateLimitKey(address: address).utf8))
    }
}

extension RequestContext {
    func attempt(email: String) -> LoginAttempt {
        LoginAttempt(
            email: email, address: request["REMOTE_ADDR"] ?? "", key: services.configuration.throttleKey)
    }

    /// Counts an attempt to sign in as a failure, unless it comes from a place that the account is known at.
    /// - Returns: whether it was counted; `forgive` takes it back.
    /// - Throws: `APIError` 429 with `Retry-After`.
    func admit(_ attempt: LoginAttempt) async throws -> Bool {
        let clock = sharedClock
        let delay: SQL = "interval '30 seconds' * 2 ^ least(f.failures - 10, 5)"
        let aDayAgo: SQL = "\(now)::timestamptz - interval '1 day'"
        let outcome = try await database.first(
            """
            with known as (
                \(fragment: places(of: attempt))
            ), counted as (
                insert into login_failures as f (account, failures, failed_at)
                select \(attempt.account), 1, \(fragment: clock) where not exists (select from known)
                on conflict (account) do update
                set failures = case when f.failed_at > \(fragment: aDayAgo) then f.failures + 1 else 1 end,
                    failed_at = excluded.failed_at
                where f.failures < 10 or f.failed_at + \(fragment: delay) <= \(fragment: clock)
                returning 1
            )
            select exists (select from known), exists (select from counted),
                (select ceil(extract(epoch from f.failed_at + \(fragment: delay) - \(fragment: clock)))::int8
                 from login_failures f where f.account = \(attempt.account))
            """
        ) {
            (
                known: try $0.next(Bool.self), counted: try $0.next(Bool.self),
                wait: try $0.next(Int64?.self)
            )
        }
        guard let outcome, outcome.known || outcome.counted else {
            // Whoever comes at the same moment as the attempt that used the moment up finds no wait left.
            throw tooManyRequests(
                .account, retryAfter: min(960, max(1, Int(outcome?.wait ?? 1))))
        }
        return outcome.counted
    }

    /// Whether the account was signed in to from here.
    func isKnownHere(_ attempt: LoginAttempt) async throws -> Bool {
        try await database.execute(places(of: attempt)) > 0
    }

    private func places(of attempt: LoginAttempt) -> SQL {
        """
        select from login_places
        where account = \(attempt.account) and place = \(attempt.place)
            and seen_at > \(now)::timestamptz - interval '56 days'
        """
    }

    /// Counts a failure that comes from a place where attempts are let in uncounted.
    func countFailure(_ attempt: LoginAttempt) async throws {
        try await database.execute(
            """
            insert into login_failures as f (account, failures, failed_at)
            values (\(attempt.account), 1, \(fragment: sharedClock))
            on conflict (account) do update
            set failures = case when f.failed_at > \(now)::timestamptz - interval '1 day' then f.failures + 1 else 1 end,
                failed_at = excluded.failed_at
            """)
    }

    /// Takes back an attempt that was counted: the password was right, or was never checked. Nothing stays of one that was the only one,
    /// or a flood of attempts that nobody checks would fill the disk.
    func forgive(_ attempt: LoginAttempt) async throws {
        try await database.execute(
            """
            with gone as (
                delete from login_failures where account = \(attempt.account) and failures <= 1
            )
            update login_failures set failures = failures - 1
            where account = \(attempt.account) and failures > 1
            """)
    }

    /// Remembers that the account was signed in to from here, in the transaction at hand.
    func remember(_ attempt: LoginAttempt) async throws {
        try await database.execute(
            """
            insert into login_places (account, place, seen_at)
            values (\(attempt.account), \(attempt.place), \(now))
            on conflict (account, place) do update set seen_at = excluded.seen_at
            """)
        try await database.execute(
            """
            delete from login_places
            where account = \(attempt.account) and seen_at < \(now)::timestamptz - interval '56 days'
            """)
    }

    /// Lets everybody try again.
    func forgetFailures(_ attempt: LoginAttempt) async throws {
        try await database.execute("delete from login_failures where account = \(attempt.account)")
    }

    /// Forgets where an account was signed in from, but for this request's address where it is to be kept.
    func forgetPlaces(_ attempt: LoginAttempt, exceptHere: Bool) async throws {
        let kept = exceptHere ? attempt.place : []
        try await database.execute(
            "delete from login_places where account = \(attempt.account) and place <> \(kept)")
    }
}
