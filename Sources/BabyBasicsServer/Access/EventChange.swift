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
    /// The same where families are spread over several machines.
    let steps: EventSteps

    /// `$1` and `$2` are as in `Question`, `$3` is the family and `$4` the roles that may; the handler's values begin with `$5`.
    /// - Parameters:
    ///   - values: how many those are, and so the last one's number.
    ///   - count: how many numbers it takes.
    ///   - assignments: what else is set of the feed `f`, each after a comma.
    ///   - condition: what must hold for anything to be changed.
    ///   - write: the query that writes rows of `events`, and has them as they are now. `member` has the caller's `user_id`, `feed` the last
    ///     number as `last_revision`. Without any, nothing was done.
    ///   - log: writes besides, where `change` has rows.
    ///   - type: what webhooks are told has happened to one of those.
    init(
        values: Int, count: String, setting assignments: String = "", where condition: String, write: String,
        log: String? = nil, type: String
    ) {
        let feed = """
            update feeds f set last_revision = f.last_revision + \(count)\(assignments)
            from member where f.family_id = $3 and \(condition)
            returning f.last_revision, f.is_watched, f.has_webhooks
            """
        let told = """
            insert into notifications (family_id, kind, user_id, since_revision, created_at, due_at)
            select $3, 'changed', member.user_id, feed.last_revision - \(count), $2, $2
            from member, feed where feed.is_watched
            """
        let called = WebhookQueue.insertion(of: "change", type)
        sql = CallersSQL { kind in
            """
            with \(CallersSession.query(kind)), \(Self.member(kind, isHeld: true)), feed as (\(feed)), told as (\(told)),
                change as (\(write)), \(log.map { "logged as (\($0)), " } ?? "")called as (\(called))
            select \(CallersSession.columns(kind)), member.name, feed.last_revision, feed.is_watched, feed.has_webhooks,
                exists (select from change)
            from caller left join member on true left join feed on true
            """
        }
        steps = EventSteps(values: values, count: count, feed: feed, write: write, log: log, told: told, called: called)
    }

    /// The membership before the token: whoever takes somebody out of a family locks it first, and the token goes with it.
    /// - Parameter isHeld: whether both stay as they are until the transaction ends.
    static func member(_ kind: BearerToken.Kind, isHeld: Bool) -> String {
        let member = """
            select m.user_id, u.name::text
            from caller join \(Members.current("m", at: "$2")) on m.family_id = $3 and m.user_id = caller.user_id
                \(CallersSession.membership(kind))
                join users u on u.id = m.user_id
            where m.role = any ($4)\(isHeld ? " for share of m" : "")
            """
        guard kind == .program, isHeld else { return "member as (\(member))" }
        return """
            held as materialized (\(member)), member as materialized (
                select held.* from held join tokens t on t.family_id = $3 and t.user_id = held.user_id
                where t.token_hash = $1 for key share of t
            )
            """
    }
}

/// What came of a change.
struct MadeChange: Sendable {
    var session: CallersSession?
    /// The caller's, if it may make the change.
    var name: String?
    var last: Int64?
    var isWatched: Bool?
    var hasWebhooks: Bool?
    var isDone = false
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
        func binding(_ values: inout PreparedSQL.Values) {
            values.append(token.hash)
            values.append(now)
            values.append(family)
            values.append(roles)
            bind(&values)
        }
        let made: MadeChange?
        do {
            if database.isSpread {
                made = try await database.make(change.steps, token.kind, binding)
            } else {
                made = try await database.change(change.sql[token.kind].binding(by: binding)) { row in
                    MadeChange(
                        session: try CallersSession(&row, token.kind), name: try row.next(), last: try row.next(),
                        isWatched: try row.next(), hasWebhooks: try row.next(), isDone: try row.next())
                }.first
            }
        } catch let error as PostgresError where error.isOvertaken && !database.isInTransaction {
            return nil
        } catch {
            // It may have been made, although no answer came.
            database.noteChange(of: family)
            throw error
        }
        try establish(made?.session, token)
        answeredScope = .child
        guard let made, made.isDone, let name = made.name, let last = made.last else { return nil }
        database.noteChange(of: family, upTo: last)
        if made.isWatched == true { database.noteNotification() }
        if made.hasWebhooks == true { database.noteWebhook() }
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
