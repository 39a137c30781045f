import BabyBasicsAPI
import Cryptography
import FoundationEssentials
import Postgres

/// What a page of events is asked for with.
struct EventPageRequest {
    var tables: [EventTable]
    /// The earliest time, which still counts.
    var from: Timestamp
    /// The place that everything on the page comes after; newest first.
    var after: EventCursor
    var limit: Int
}

/// A place between events. No event stands at it or is on both sides of it, whatever is added: times may be equal, identifiers are not.
struct EventCursor: Hashable {
    let at: Timestamp
    let id: UUID

    /// Before all events of that moment, which come later in the order of the page.
    static func before(_ time: Timestamp) -> EventCursor {
        EventCursor(at: time, id: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
    }

    /// Later in time, and so earlier on the page.
    static func isNewer(_ left: EventCursor, _ right: EventCursor) -> Bool {
        left.at != right.at ? left.at > right.at : left.id.uuidString > right.id.uuidString
    }
}

/// A page, and whether anything comes after it.
struct EventPage {
    let events: [StoredEvent]
    let next: EventCursor?
}

extension EventPageRequest {
    /// One statement for session, place and events, whose cost does not grow with what the child has: each kind's index gives at most a
    /// page, and they are merged. Of the child `$3`, from `$4`, cursor `$5` and `$6`, limit `$7`.
    var query: AuthenticatedQuery {
        if tables.count == 1 { return Self.ofOneKind[tables[0].number] }
        return tables.count == EventTable.all.count ? Self.ofAllKinds : Self.query(for: tables)
    }

    private static let ofOneKind = EventTable.all.map { query(for: [$0]) }
    private static let ofAllKinds = query(for: EventTable.all)

    private static func query(for tables: [EventTable]) -> AuthenticatedQuery {
        let rows = tables.map { table in
            let time = table.timeColumn
            return table.rows(
                where: """
                    child_id = c.id and deleted_at is null
                    and \(unescaped: time) >= $4 and (\(unescaped: time), id) < ($5, $6)
                    order by \(unescaped: time) desc, id desc limit $7
                    """)
        }
        return AuthenticatedQuery(
            columns: "m.role, e.kind, \(Shape.anonymousColumns)",
            from: """
                \(CallersChild.join)
                left join lateral (
                    (select * from (\(rows.joined(separator: " union all ").text)) e
                    order by e.time1 desc, e.id desc limit $7)
                    union all (\(PageAuthor.ofFamily))
                ) e on true
                """)
    }
}

/// A member's name, in the shape of an event: a page has few authors, so that each is read once.
private struct PageAuthor {
    let id: UserID
    let name: String

    /// Of the child's family; those who left it are asked for when one of them is met.
    static let ofFamily: String = {
        let places = Shape.places.map { $0.name == "text1" ? "a.name::text" : "null::\($0.storage.type)" }
        return """
            select '-1'::int2, a.id, null::uuid, \(places.joined(separator: ", ")), null::uuid,
                null::timestamptz, null::timestamptz, null::int8, null::timestamptz
            from \(Members.current("o", at: "$2")) join users a on a.id = o.user_id where o.family_id = c.family_id
            """
    }()

    /// Reads `Shape.anonymousColumns`.
    init(_ row: inout Row) throws {
        row.skip()
        id = try row.next()
        row.skip()
        var name = ""
        for place in Shape.places {
            if place.name == "text1" { name = try row.next() } else { row.skip() }
        }
        row.skip(6)
        self.name = name
    }
}

extension StoredEvent {
    fileprivate var cursor: EventCursor { EventCursor(at: at, id: id.uuid) }
}

extension RequestContext {
    /// A page of what was logged for the child that the path names.
    /// - Parameter tables: the kinds that the query wants; nil where it is at fault.
    /// - Throws: `APIError` 401, 429, 415, 404 or 400.
    func page(of tables: [EventTable]?, _ query: QueryParameters) async throws -> EventPage {
        let request: EventPageRequest
        do {
            request = try query.all(query.page(of: tables))
        } catch {
            _ = try await authorizeChild(self)
            throw error
        }
        var role: Role?
        var authors: [UserID: String] = [:]
        let rows = try await rows(request.query) {
            $0.append(Identifier<Child>(parameters[0]))
            $0.append(request.from)
            $0.append(request.after.at)
            $0.append(request.after.id)
            $0.append(Int64(request.limit + 1))
        } _: { row -> StoredEvent? in
            role = try row.next()
            guard let kind = try row.next(Int16?.self) else { return nil }
            if kind >= 0 { return try StoredEvent(&row) }
            let author = try PageAuthor(&row)
            authors[author.id] = author.name
            return nil
        }
        try requireJSON(self)
        guard let role else { throw APIError.childNotFound }
        try require(endpoint, allows: role)
        // They come in order; that they do is for no plan to promise.
        var events = rows.compactMap { $0 }.sorted { EventCursor.isNewer($0.cursor, $1.cursor) }
        let isAll = events.count <= request.limit
        if !isAll { events.removeLast() }
        try await database.nameAuthors(of: &events, among: authors)
        return EventPage(events: events, next: isAll ? nil : events.last?.cursor)
    }
}

extension QueryParameters {
    /// `from`, `to`, `limit` and `cursor`. Nil notes a problem.
    func page(of tables: [EventTable]?) -> EventPageRequest? {
        let time = "must be a time such as 2026-02-25T12:00:00Z"
        let from = optional("from", time) { Timestamp($0) }
        let to = optional("to", time) { Timestamp($0) }
        let limit = limit()
        let cursor = optional("cursor", "must be a next_cursor of this list") { EventCursor($0) }
        guard let tables, let from, let to, let limit, let cursor else { return nil }
        // No event is later: times are at most minutes ahead.
        let end = EventCursor.before(
            to ?? Timestamp(microsecondsSince1970: 253_402_300_800_000_000))
        return EventPageRequest(
            tables: tables,
            from: from ?? Timestamp(microsecondsSince1970: -62_167_219_200_000_000),
            after: cursor.map { EventCursor.isNewer($0, end) ? end : $0 } ?? end, limit: limit)
    }
}

extension EventCursor {
    /// Reads 32 characters of base64url: the time's 8 bytes and the identifier's 16.
    init?(_ text: String) {
        let standard = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        guard text.utf8.count == 32, !text.contains(where: { "+/=".contains($0) }),
            let data = Data(base64Encoded: standard), data.count == 24
        else { return nil }
        let bytes = Array(data)
        let time = bytes[..<8].reduce(Int64(0)) { $0 << 8 | Int64($1) }
        // What PostgreSQL could not hold was never a cursor.
        guard time.magnitude < 1 << 57 else { return nil }
        at = Timestamp(microsecondsSince1970: time)
        id = bytes[8...].withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    var text: String {
        var bytes = (0..<8).map {
            UInt8(truncatingIfNeeded: at.microsecondsSince1970 >> (56 - 8 * $0))
        }
        withUnsafeBytes(of: id.uuid) { bytes.append(contentsOf: $0) }
        return Encoding.base64URL(bytes)
    }
}
