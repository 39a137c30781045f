import BabyBasicsAPI
import Cryptography
import FoundationEssentials
import Postgres

/// What a page of events is asked for with.
struct EventPageRequest {
    var kinds: [EventKind]
    /// The earliest time, which still counts.
    var from: Timestamp
    /// Everything on the page comes after it; newest first.
    var after: EventCursor
    var limit: Int
}

/// A time and an identifier: the last event of a page, so that a page is stable while events are added.
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

/// The events of the child `$4`: their times from `$5` on, those after the cursor `$6` and `$7`, as many as `$8`; and of the kinds `$9`, if it
/// is of some kinds. One index gives them in their order.
private func pageQuestion(ofKinds condition: String) -> Question {
    Question.ofChild(
        columns: "e.*",
        from: """
            left join lateral (
                (select \(EventRow.columns) from events e
                where e.family_id = $3 and e.child_id = c.id and e.deleted_at is null and \(EventRow.isKnown)
                    and e.at >= $5 and (e.at, e.id) < ($6, $7)\(condition)
                order by e.at desc, e.id desc limit $8)
                union all \(Authors.rows(of: "c.family_id", at: "$2"))
            ) e on true
            """)
}

let pageOfAllKinds = pageQuestion(ofKinds: "")
let pageOfOneKind = pageQuestion(ofKinds: " and e.kind = $9")
private let pageOfSomeKinds = pageQuestion(ofKinds: " and e.kind = any ($9)")

extension RequestContext {
    /// A page of what was logged for the child that the path names.
    /// - Parameter kinds: those that the query wants; nil where it is at fault.
    /// - Throws: `APIError` 401, 429, 415, 404 or 400.
    func page(of kinds: [EventKind]?, _ query: QueryParameters) async throws -> EventPage {
        let request: EventPageRequest
        do {
            request = try query.all(query.page(of: kinds))
        } catch {
            _ = try await authorizeChild(self)
            throw error
        }
        var authors = Authors()
        let numbers = request.kinds.map { Int16($0.number) }
        let isOfAll = numbers.count == EventKind.all.count
        let question = isOfAll ? pageOfAllKinds : numbers.count == 1 ? pageOfOneKind : pageOfSomeKinds
        let rows = try await ask(question) {
            $0.append(request.from)
            $0.append(request.after.at)
            $0.append(request.after.id)
            $0.append(Int64(request.limit + 1))
            if numbers.count == 1 { $0.append(numbers[0]) } else if !isOfAll { $0.append(numbers) }
        } _: { row -> StoredEvent? in
            let kind = try row.next(Int16.self)
            if kind >= 0 { return try StoredEvent(number: Int(kind), &row) }
            try authors.add(&row)
            return nil
        }
        // They come in order; that they do is for no plan to promise.
        var events = rows.compactMap { $0 }.sorted { EventCursor.isNewer($0.cursor, $1.cursor) }
        let isAll = events.count <= request.limit
        if !isAll { events.removeLast() }
        try await database.name(&events, by: authors)
        return EventPage(events: events, next: isAll ? nil : events.last?.cursor)
    }
}

extension StoredEvent {
    fileprivate var cursor: EventCursor { EventCursor(at: at, id: id.uuid) }
}

extension QueryParameters {
    /// `from`, `to`, `limit` and `cursor`. Nil notes a problem.
    func page(of kinds: [EventKind]?) -> EventPageRequest? {
        let time = "must be a time such as 2026-02-25T12:00:00Z"
        let from = optional("from", time) { Timestamp($0) }
        let to = optional("to", time) { Timestamp($0) }
        let limit = limit()
        let cursor = optional("cursor", "must be a next_cursor of this list") { EventCursor($0) }
        guard let kinds, let from, let to, let limit, let cursor else { return nil }
        // No event is later: times are at most minutes ahead.
        let end = EventCursor.before(
            to ?? Timestamp(microsecondsSince1970: 253_402_300_800_000_000))
        return EventPageRequest(
            kinds: kinds,
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
