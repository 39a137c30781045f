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
    /// Whether members of the family logged all of it.
    let isByMembers: Bool
}

extension EventPageRequest {
    /// One statement, whose cost does not grow with what the child has: each kind's index gives at most a page, and they are merged.
    func statement(of child: ChildID) -> SQL {
        let kinds = tables.reduce(0) { $0 | 1 << $1.number }
        return Self.statements[kinds].binding(child, from, after.at, after.id, Int64(limit + 1))
    }

    /// For each set of kinds, as bits: child `$1`, from `$2`, cursor `$3` and `$4`, limit `$5`.
    private static let statements = (0..<1 << EventTable.all.count).map { kinds in
        let rows = EventTable.all.filter { kinds & 1 << $0.number != 0 }.map { table in
            let time = table.timeColumn
            return table.rows(
                where: """
                    child_id = $1 and deleted_at is null
                    and \(unescaped: time) >= $2 and (\(unescaped: time), id) < ($3, $4)
                    order by \(unescaped: time) desc, id desc limit $5
                    """)
        }
        return PreparedSQL(
            unescaped: """
                select \(Shape.anonymousColumns) from (\(rows.joined(separator: " union all ").text)) e
                order by e.time1 desc, e.id desc limit $5
                """)
    }
}

extension Database {
    func page(_ request: EventPageRequest, of membership: ChildMembership) async throws -> EventPage {
        var events = try await rows(request.statement(of: membership.child.id)) { try StoredEvent(&$0) }
        let isByMembers = try await nameAuthors(of: &events, among: membership.memberNames)
        guard events.count > request.limit else {
            return EventPage(events: events, next: nil, isByMembers: isByMembers)
        }
        events.removeLast()
        return EventPage(
            events: events, next: events.last.map { EventCursor(at: $0.at, id: $0.id.uuid) },
            isByMembers: isByMembers)
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
