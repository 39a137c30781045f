import BabyBasicsAPI
import Postgres

/// What has changed in the family since a revision, a page at a time; with `wait`, once there is something.
///
/// Whoever changes something takes its number under the family's lock and keeps the lock until the commit, so that numbers become visible in
/// their order. All of an answer comes from one snapshot: it has every number up to its last, and none is missed.
func listChanges(_ context: RequestContext) async throws -> Reply<ChangeList> {
    let asked = Result { try context.feedQuestion() }
    // Before the look, so that no change falls between the look and the wait.
    context.listenForNews(try? asked.get())
    while true {
        let head = try await context.feedHead()
        let question = try asked.get()
        let position = SyncPosition(since: question.since)
        try position.requireComplete(in: head.feed, at: context.now)
        if head.feed.last > position.revision {
            return Reply(try await context.page(of: head, from: position, limit: question.limit))
        }
        guard try await context.waitForNews(seconds: question.wait, until: head.accessUntil) else {
            let end = position.advanced(to: head.feed.last, in: head.feed, today: context.now.utcDate)
            return Reply(ChangePage(changes: [], nextSince: end.since, hasMore: false))
        }
    }
}

/// What a request for changes asks for.
struct FeedQuestion {
    let since: Int64
    let limit: Int
    /// Seconds.
    let wait: Int
}

/// What one look at session, membership and family tells.
private struct FeedHead {
    let family: FamilyID
    let feed: FeedState
    /// When the caller ceases to be a member.
    let accessUntil: Timestamp?
}

private let headOfFamily = Question.ofFamily(
    columns: "f.family_id, \(FeedState.columns), m.access_until",
    from: "left join feeds f on f.family_id = m.family_id")

extension RequestContext {
    fileprivate func feedQuestion() throws -> FeedQuestion {
        let query = query
        let (since, limit, wait) = try query.all(query.since(), query.limit(maximum: 1000), query.wait())
        return FeedQuestion(since: since, limit: limit, wait: wait)
    }

    /// - Throws: `APIError` 401, 429, 404 or 403.
    fileprivate func feedHead() async throws -> FeedHead {
        try await ask(headOfFamily) {
            FeedHead(family: try $0.next(), feed: try FeedState(&$0), accessUntil: try $0.next())
        }[0]
    }

    fileprivate func page(
        of head: FeedHead, from position: SyncPosition, limit: Int
    ) async throws -> ChangePage {
        let key = FeedPages.Key(family: head.family, revision: position.revision, limit: limit)
        let page = try await services.feedPages.page(key, upTo: head.feed.last, in: database, at: now)
        // The member may have been removed, and changes purged, since the first look.
        guard page.members.contains(try authenticated.userID) else { throw APIError.notAMember }
        try position.requireComplete(in: page.feed, at: now)
        // At the end it is the family's last number, which may be of something that was purged.
        let end = page.hasMore ? page.changes.last?.revision ?? page.feed.last : page.feed.last
        return ChangePage(
            changes: page.changes,
            nextSince: position.advanced(to: end, in: page.feed, today: now.utcDate).since, hasMore: page.hasMore)
    }
}

extension SyncPosition {
    /// - Throws: `APIError` 410.
    fileprivate func requireComplete(in feed: FeedState, at now: Timestamp) throws {
        guard isComplete(in: feed, today: now.utcDate) else { throw APIError.resyncRequired }
    }
}

extension APIError {
    static let resyncRequired = APIError(
        .resyncRequired, "Changes since then are not all known any more; start again from 0")
}

extension QueryParameters {
    /// `since`, 0 unless given. Nil notes a problem.
    fileprivate func since() -> Int64? {
        optional("since", "must be 0 or a next_since of this family") { text in
            text.utf8.allSatisfy { (48...57).contains($0) } ? Int64(text) : nil
        }.map { $0 ?? 0 }
    }
}
