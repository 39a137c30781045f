import BabyBasicsAPI
import FoundationEssentials
import Postgres

/// What has changed in the family since a revision, a page at a time.
///
/// Whoever changes something takes its number under the family's lock and keeps the lock until the commit, so that numbers become visible in
/// their order. All of an answer comes from one snapshot: it has every number up to its last, and none is missed.
func listChanges(_ context: RequestContext, membership: FamilyMembership) async throws
    -> Reply<ChangePage>
{
    let family = membership.family.id
    let caller = membership.caller.userID
    let query = context.query
    let (since, limit) = try query.all(query.since(), query.limit())
    let today = context.now.utcDate
    let position = SyncPosition(since: since, today: today)
    let database = context.database
    return try await database.transaction(isolation: .repeatableRead, readOnly: true) {
        let page = try await database.changedThings(
            of: family, after: position.revision, for: caller, limit: limit + 1)
        // The member may have been removed since the request began.
        guard var page else { throw APIError.notAMember }
        guard position.isComplete(last: page.last, purged: page.purged, today: today) else {
            throw APIError.resyncRequired
        }
        let hasMore = page.things.count > limit
        page.things = Array(page.things.prefix(limit))
        // At the end it is the family's last number, which may be of something that was purged.
        let end = hasMore ? page.things.last?.revision ?? page.last : page.last
        return Reply(
            ChangePage(
                changes: try await database.changes(page.things, of: family),
                nextSince: position.advanced(to: end, purged: page.purged).since, hasMore: hasMore))
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
