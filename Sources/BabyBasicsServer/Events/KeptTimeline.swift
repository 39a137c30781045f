import BabyBasicsAPI
import JSON
import Postgres

/// The first page of a child's timeline, which is asked for most, and with most rows.
let keptTimeline = KeptAnswer(
    queries: ["", "limit=50"], columns: "k.page", from: "kept_timelines"
) { WrittenJSON(bytes: try $0.next()) }

extension WrittenJSON {
    /// Has it kept for the next who asks.
    func keepAsTimeline(of membership: ChildMembership, _ context: RequestContext) {
        context.afterwards = Self.statement.binding(
            membership.child.id, membership.familyID, membership.revision, bytes)
    }

    /// The child's row is locked for its key, which need not reach the disk.
    private static let statement = SQLTemplate(
        unescaped: """
            insert into kept_timelines as k (child_id, family_id, revision, page)
            select $1, $2, $3, $4 where set_config('synchronous_commit', 'off', true) = 'off'
            on conflict (child_id) do update set revision = excluded.revision, page = excluded.page
            where k.revision < excluded.revision
            """)
}
