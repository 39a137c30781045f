import BabyBasicsAPI
import EventLoop

// What a request has to do with news: it makes some, or waits for some.

extension RequestContext {
    /// Has a request hear of news from now on, if it may wait for them.
    func listenForNews(_ question: FeedQuestion?) {
        guard let family = Identifier<Family>(parameters[0]), let question, question.wait > 0 else { return }
        let revision = SyncPosition(since: question.since).revision
        waiter = services.news.waiter(of: family, after: revision)
    }

    /// Waits for news as the caller, who is known, and until a moment at most.
    /// - Returns: false where the request may not wait, or has waited its time.
    func waitForNews(seconds: Int, until end: Timestamp?) async throws -> Bool {
        guard let waiter, !waiter.isOver else { return false }
        let limit = min(.seconds(seconds), end?.since(now) ?? .seconds(seconds))
        services.news.begin(waiter, of: try authenticated.userID, for: max(.zero, limit))
        await waiter.wait()
        renewMoment()
        return true
    }

    func endWait() { waiter.map(services.news.forget) }

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
        if database.hasMail { items.append(.mail) }
        services.news.publish(items)
        if database.hasNotification { services.notifier.delivery.wake() }
        if database.hasWebhook { services.webhookCaller.wake() }
    }
}
