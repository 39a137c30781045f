import BabyBasicsAPI
import EventLoop

// What a request has to do with news: it makes some, or waits for some.

extension RequestContext {
    /// A waiter for a request that may wait; nil for any other.
    func waiter(of family: FamilyID?, _ question: FeedQuestion?) -> FeedWaiter? {
        guard let family, let question, question.wait > 0 else { return nil }
        let revision = SyncPosition(since: question.since, today: now.utcDate).revision
        return services.news.waiter(of: family, after: revision)
    }

    /// Waits as the caller, who is known.
    func wait(_ waiter: FeedWaiter, seconds: Int) async throws -> FeedWaiter.Outcome {
        let start = Monotonic.now
        defer { nanosecondsWaited &+= Monotonic.now &- start }
        return await services.news.wait(waiter, of: try authenticated.userID, for: .seconds(seconds))
    }

    /// Tells of what the request has changed: of numbers that a family's changes have taken, of a family even without one, as when it goes,
    /// and of the caller's account, whose sessions may have ended.
    func publishNews() {
        guard endpoint.method != .get else { return }
        var items = database.changedFamilies.map { NewsItem.family($0, upTo: $1) }
        items += database.endedUsers.map(NewsItem.user)
        switch endpoint.access {
        case .family:
            guard items.isEmpty, let family = Identifier<Family>(parameters[0]) else { break }
            items.append(.family(family, upTo: NewsItem.unknown))
        case .user: if let caller { items.append(.user(caller.userID)) }
        case .child, .anyone, .admin: break
        }
        services.news.publish(items)
    }
}
