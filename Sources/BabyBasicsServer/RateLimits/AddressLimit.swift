import BabyBasicsAPI
import FastCGI
import Glibc
import Postgres

/// Counts a request of an endpoint that is limited by client address.
/// - Throws: `APIError` 429 with `Retry-After`.
func limitByAddress(_ context: RequestContext) async throws {
    guard case .address(let bucket) = context.endpoint.limit else { return }
    let address = rateLimitKey(address: context.request["REMOTE_ADDR"] ?? "")
    try await context.count(in: .init(bucket), of: address)
}

extension RequestContext {
    /// Counts a check of the user's own password, besides the request: who has somebody's session is not to guess their password by it.
    /// - Throws: `APIError` 429 with `Retry-After`.
    func countPasswordCheck(of user: UserID) async throws {
        try await count(in: .ownPassword, of: user.description)
    }

    /// Never more than 5 accepted in any 60 s, over all workers and hosts.
    ///
    /// The database's clock is the one that all of them share, and it is read after the row's lock was got. Refused requests do not count.
    /// - Parameter key: whom it counts, an address or a user.
    /// - Throws: `APIError` 429 with `Retry-After`.
    @inline(never)  // as `lookUpAndAnswer`
    fileprivate func count(in bucket: RateLimitName, of key: String) async throws {
        let clock = sharedClock
        let accepted = try await database.first(
            """
            insert into address_rates as r (bucket, address, accepted)
            values (\(bucket.label), \(key), array[\(fragment: clock)])
            on conflict (bucket, address) do update
            set accepted = r.accepted[greatest(1, cardinality(r.accepted) - 3):] || \(fragment: clock)
            where cardinality(r.accepted) < 5 or r.accepted[1] < \(fragment: clock) - interval '60 seconds'
            returning (select count(*) from unnest(accepted) t where t > \(fragment: clock) - interval '60 seconds'),
                ceil(extract(epoch from (select min(t) from unnest(accepted) t
                    where t > \(fragment: clock) - interval '60 seconds') + interval '60 seconds' - \(fragment: clock)))::int8
            """
        ) { (used: try $0.next(Int64.self), reset: try $0.next(Int64.self)) }
        if let accepted {
            rateLimit = RateLimitState(
                limit: 5, remaining: 5 - Int(accepted.used), reset: Int(accepted.reset))
            return
        }
        let wait = try await database.first(
            """
            select ceil(extract(epoch from accepted[1] + interval '60 seconds' - \(fragment: clock)))::int8
            from address_rates where bucket = \(bucket.label) and address = \(key)
            """
        ) { try $0.next(Int64.self) }
        let seconds = max(1, Int(wait ?? 1))
        rateLimit = RateLimitState(limit: 5, remaining: 0, reset: seconds)
        throw tooManyRequests(bucket, retryAfter: seconds)
    }
}

extension RequestContext {
    func tooManyRequests(_ limit: RateLimitName, retryAfter seconds: Int) -> APIError {
        services.metrics.count(refusalBy: limit)
        return APIError(.rateLimited, "Too many requests; try again in \(seconds) s")
            .with("Retry-After", String(seconds))
    }

    /// The clock of the database, which all workers and hosts share, at the moment that it is read.
    var sharedClock: SQL {
        let offset = services.clock.offset.microseconds
        return "(clock_timestamp() + \(offset) * interval '1 microsecond')"
    }
}

/// A number in decimal digits: those of limits are small, and at hand.
private func numeral(_ number: Int) -> String {
    numerals.indices.contains(number) ? numerals[number] : String(number)
}
private let numerals = (0...UserLimit.requestsPerMinute).map(String.init)

/// What an answer says of the limit that its request was counted by.
struct RateLimitState {
    let limit: Int
    let remaining: Int
    /// In seconds from now.
    let reset: Int

    var headers: [(name: String, value: String)] {
        [
            ("RateLimit-Limit", numeral(limit)), ("RateLimit-Remaining", numeral(remaining)),
            ("RateLimit-Reset", numeral(reset)),
        ]
    }
}

/// Whom a limit by address counts: one IPv4 address, or the /64 that one IPv6 subscriber is given.
func rateLimitKey(address: String) -> String {
    var v6 = in6_addr()
    guard inet_pton(AF_INET6, address, &v6) == 1 else { return address }
    let bytes = withUnsafeBytes(of: v6) { Array($0) }
    if bytes[0..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xff, bytes[11] == 0xff {
        return bytes[12...].map(String.init).joined(separator: ".")
    }
    let groups = stride(from: 0, to: 8, by: 2).map {
        String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16)
    }
    return groups.joined(separator: ":") + "::/64"
}

extension Duration {
    var microseconds: Int64 {
        components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }
}
