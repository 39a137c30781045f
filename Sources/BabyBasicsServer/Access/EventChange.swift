import BabyBasicsAPI
import Postgres

/// A statement that changes events of one family: a transaction of its own, and one round trip for session, membership, numbers and rows.
///
/// It holds the caller's membership, and a program's token, so that a removal, another role or the token's end comes before or after it, and then updates the family's feed, which is
/// the family's lock and gives the numbers. Its conditions are older than the lock: what came in between breaks a unique index or a
/// foreign key, which undoes all of it. Where somebody of the family wants to be told it writes that something has changed; other families
/// pay nothing for it.
struct EventChange: Sendable {
    let sql: CallersSQL

    /// `$1` and `$2` are as in `Question`, `$3` is the family and `$4` the roles that may; the handler's values begin with `$5`.
    /// - Parameters:
    ///   - count: how many numbers it takes.
    ///   - assignments: what else is set of the feed `f`, each after a comma.
    ///   - condition: what must hold for anything to be changed.
    ///   - writes: the queries that write, each after a comma. `member` has the caller's `user_id`, `feed` the last number as `last_revision`.
    ///   - result: tells whether they did.
    ///   - changed: the query among them that has the rows of `events` as they are now.
    ///   - type: what webhooks are told has happened to one of those.
    init(
        count: String, setting assignments: String = "", where condition: String, writes: String,
        changed: String, type: String, result: String = "feed.last_revision is not null", from results: String = ""
    ) {
        sql = CallersSQL { kind in
            """
            with \(CallersSession.query(kind)), \(Self.member(kind)), feed as (
                update feeds f set last_revision = f.last_revision + \(count)\(assignments)
                from member where f.family_id = $3 and \(condition)
                returning f.last_revision, f.is_watched, f.has_webhooks
            ), told as (
                insert into notifications (family_id, kind, user_id, since_revision, created_at, due_at)
                select $3, 'changed', member.user_id, feed.last_revision - \(count), $2, $2
                from member, feed where feed.is_watched
            )\(writes), called as (\(WebhookQueue.insertion(of: changed, type)))
            select \(CallersSession.columns(kind)), member.name, feed.last_revision, feed.is_watched, feed.has_webhooks, \(result)
            from caller left join member on true left join feed on true \(results)
            """
        }
    }

    /// The membership before the token: whoever takes somebody out of a family locks it first, and the token goes with it.
    private static func member(_ kind: BearerToken.Kind) -> String {
        let member = """
            select m.user_id, u.name::text
            from caller join \(Members.current("m", at: "$2")) on m.family_id = $3 and m.user_id = caller.user_id
                \(CallersSession.membership(kind))
                join users u on u.id = m.user_id
            where m.role = any ($4) for share of m
            """
        guard kind == .program else { return "member as (\(member))" }
        return """
            held as materialized (\(member)), member as materialized (
                select held.* from held join tokens t on t.family_id = $3 and t.user_id = held.user_id
                where t.token_hash = $1 for key share of t
            )
            """
    }
}

extension RequestContext {
    /// Makes a change of the family's events. Whoever's requests of the minute are used up changes nothing by it.
    ///
    /// - Returns: the caller and the last of the numbers that it took; nil where something stands in the way, which it does not name.
    /// - Throws: `APIError` 401, 403 or 429.
    func make(
        _ change: EventChange, in family: FamilyID, binding bind: (inout PreparedSQL.Values) -> Void
    ) async throws -> (author: Author, revision: Int64)? {
        let token = try bearerToken()
        _ = try await countedUser(token)
        let roles = allowedRoles
        let sql = change.sql[token.kind].binding {
            $0.append(token.hash)
            $0.append(now)
            $0.append(family)
            $0.append(roles)
            bind(&$0)
        }
        var session: CallersSession?
        let rows: [(name: String?, last: Int64?, isWatched: Bool?, hasWebhooks: Bool?, isDone: Bool)]
        do {
            rows = try await database.change(sql) { row in
                session = try CallersSession(&row, token.kind)
                return (try row.next(), try row.next(), try row.next(), try row.next(), try row.next())
            }
        } catch let error as PostgresError where error.isOvertaken && !database.isInTransaction {
            return nil
        } catch {
            // It may have been made, although no answer came.
            database.noteChange(of: family)
            throw error
        }
        try establish(session, token)
        answeredScope = .child
        guard let result = rows.first, result.isDone, let name = result.name, let last = result.last else { return nil }
        database.noteChange(of: family, upTo: last)
        if result.isWatched == true { database.noteNotification() }
        if result.hasWebhooks == true { database.noteWebhook() }
        return (Author(userId: try authenticated.userID, name: name), last)
    }

    /// The roles that may call the endpoint.
    var allowedRoles: [String] {
        Role.allCases.filter { endpoint.refusal(of: $0) == nil }.map(\.rawValue)
    }
}

extension PostgresError {
    /// Whether something that the statement had looked at was changed before it had its lock.
    fileprivate var isOvertaken: Bool {
        sqlState == .uniqueViolation || sqlState == .foreignKeyViolation
    }
}
