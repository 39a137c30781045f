import BabyBasicsAPI
import Glibc
public import SharedMemory

/// Requests that users' counters have granted ahead to the workers of this host, which share this memory.
///
/// The counter is a row in the database that changes with each request that it counts. So it counts several at once while a user is
/// far from the limit, and the next requests of any session, at any worker of the host, take from these. What is granted counts as
/// used: there are never more than the limit, over all hosts. Nothing here lets anybody in: the session is looked up at every request.
public final class RequestGrants: Sendable {
    /// A user's number and their minute.
    private let users: SharedTable
    /// A token's number and its user's: whom to count for, before the database has said who it is.
    private let tokens: SharedTable

    /// Users who are active within a minute, and sessions that were lately: 4 MiB each.
    private static let capacity = 1 << 18

    /// - Parameter directory: where the workers of this host keep what they share; nil for a worker that is the only one of its host.
    public init(directory: String?) throws(SharedMemoryError) {
        // The name changes with the format: two versions may run at the same time.
        users = try SharedTable(
            path: directory.map { "\($0)/granted-requests.1" }, capacity: Self.capacity)
        tokens = try SharedTable(
            path: directory.map { "\($0)/known-tokens.1" }, capacity: Self.capacity)
    }

    /// Takes one request of whoever is known by a token. Nil where the database has to be asked.
    func take(for token: BearerToken, at now: Timestamp) -> GrantedRequest? {
        for place in tokens.places(of: token.number) {
            let entry = tokens[place]
            if entry.key == token.number { return take(for: entry.value, at: now) }
        }
        return nil
    }

    private func take(for user: UInt64, at now: Timestamp) -> GrantedRequest? {
        var refusal: GrantedRequest?
        for place in users.places(of: user) {
            while let (entry, minute) = running(at: place, of: user, now) {
                if minute.unused == 0 {
                    if minute.counted >= RequestCount.limit {
                        refusal = GrantedRequest(user: user, count: minute.refusal)
                    }
                    break
                }
                let less = minute.adding(-1)
                if users.replace(entry, at: place, by: less.entry(user)) {
                    return GrantedRequest(user: user, count: less.count)
                }
            }
        }
        return refusal
    }

    /// Gives back what was taken for a session that has ended, and forgets whose it was.
    func giveBack(_ request: GrantedRequest, of token: BearerToken, at now: Timestamp) {
        for place in tokens.places(of: token.number) where tokens[place].key == token.number {
            _ = tokens.replace(tokens[place], at: place, by: .init(key: 0, value: 0))
        }
        guard !request.count.isRefusal else { return }
        for place in users.places(of: request.user) {
            while let (entry, minute) = running(at: place, of: request.user, now),
                minute.unused < minute.counted
            {
                if users.replace(entry, at: place, by: minute.adding(1).entry(request.user)) {
                    return
                }
            }
        }
    }

    /// Keeps what a counter has granted beyond the request that asked.
    /// - Returns: the user's count with this request, or the refusal.
    func keep(
        _ answer: CounterAnswer, for userID: UserID, token: BearerToken, at now: Timestamp
    ) -> RequestCount {
        let user = number(of: userID)
        remember(token, user)
        if answer.granted == 0 {
            // What others have just been granted may be on its way: time for a thread that lost its processor.
            for _ in 0..<20 {
                if let request = take(for: user, at: now), !request.count.isRefusal {
                    return request.count
                }
                usleep(1000)
            }
        }
        return add(
            Minute(
                since: answer.since, counted: answer.requests, unused: max(0, answer.granted - 1)),
            for: user, at: now, isRefusal: answer.granted == 0)
    }

    private func add(
        _ new: Minute, for user: UInt64, at now: Timestamp, isRefusal: Bool
    ) -> RequestCount {
        while true {
            let places = users.places(of: user)
            let free =
                places.first { users[$0].key == user }
                ?? places.min { Minute(users[$0].value).end < Minute(users[$1].value).end }
            guard let place = free else { return new.count }
            let entry = users[place]
            let old = Minute(entry.value)
            var sum = new
            if entry.key == user {
                // This answer is late: the next minute has begun.
                if old.end > new.end { return isRefusal ? new.refusal : new.count }
                if old.end == new.end {
                    sum = Minute(
                        end: new.end, counted: max(old.counted, new.counted),
                        unused: old.unused + new.unused)
                }
            }
            if users.replace(entry, at: place, by: sum.entry(user)) {
                return isRefusal ? sum.refusal : sum.count
            }
        }
    }

    private func remember(_ token: BearerToken, _ user: UInt64) {
        let places = tokens.places(of: token.number)
        let place =
            places.first { tokens[$0].key == token.number || tokens[$0].key == 0 }
            ?? places.lowerBound + Int(user % UInt64(places.count))
        _ = tokens.replace(tokens[place], at: place, by: .init(key: token.number, value: user))
    }

    private func running(
        at place: Int, of user: UInt64, _ now: Timestamp
    ) -> (SharedTable.Entry, Minute)? {
        let entry = users[place]
        let minute = Minute(entry.value)
        return entry.key == user && minute.isRunning(now) ? (entry, minute) : nil
    }

    /// Forgets everything.
    public func clear() {
        users.clear()
        tokens.clear()
    }
}
