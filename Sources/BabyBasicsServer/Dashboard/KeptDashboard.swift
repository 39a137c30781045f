import BabyBasicsAPI
import JSON
import Postgres

/// The dashboard of the present day, for all whose clocks are set alike.
let keptDashboard = KeptAnswer(
    queries: [""],
    columns: """
        k.date, k.timezone, k.edges, k.sums, k.notes, k.last,
        k.open_feeding_at, k.open_feeding, k.open_sleep_at, k.open_sleep
        """,
    from: "kept_dashboards", joins: "join users u on u.id = m.user_id",
    where: """
        k.timezone = u.timezone and k.day_start = u.day_start_time and k.edges[7] <= $2 and $2 < k.edges[8]
        """
) { try Dashboard(&$0) }

extension Dashboard {
    fileprivate init(_ row: inout Row) throws {
        self.init(
            date: try row.next(), timeZone: try row.next(), edges: try row.next(),
            week: try row.next([Int64].self).split(DayTotals.numbers).map(DayTotals.init),
            notes: try row.next(), last: WrittenJSON(bytes: try row.next()),
            openFeeding: try row.nextOpenEvent(), openSleep: try row.nextOpenEvent())
    }

    /// Has it kept for the next who asks today.
    func keep(of membership: ChildMembership, dayStart: String, _ context: RequestContext) {
        context.afterwards = Self.statement.binding(
            membership.child.id, timeZone, dayStart, membership.familyID, membership.revision,
            date, edges, week.flatMap(\.asNumbers), Int64(notes), last.bytes,
            openFeeding?.at, openFeeding?.json.bytes, openSleep?.at, openSleep?.json.bytes)
    }

    private static let statement = SQLTemplate(
        unescaped: """
            insert into kept_dashboards as k
            select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14
            where set_config('synchronous_commit', 'off', true) = 'off'
            on conflict (child_id, timezone, day_start) do update
            set (revision, date, edges, sums, notes, last, open_feeding_at, open_feeding, open_sleep_at, open_sleep)
                = row(excluded.revision, excluded.date, excluded.edges, excluded.sums, excluded.notes, excluded.last,
                    excluded.open_feeding_at, excluded.open_feeding, excluded.open_sleep_at, excluded.open_sleep)
            where k.revision <= excluded.revision
            """)
}

extension Row {
    fileprivate mutating func nextOpenEvent() throws -> Dashboard.OpenEvent? {
        let at = try next(Timestamp?.self)
        let json = try next([UInt8]?.self)
        guard let at, let json else { return nil }
        return Dashboard.OpenEvent(at: at, json: WrittenJSON(bytes: json))
    }
}

extension DayTotals {
    /// How many numbers a day is kept as.
    fileprivate static let numbers = 10

    fileprivate init(_ numbers: ArraySlice<Int64>) {
        var rest = numbers.makeIterator()
        func next() -> Int { Int(rest.next() ?? 0) }
        func nextDuration() -> Duration { .microseconds(rest.next() ?? 0) }
        self.init(
            feedings: next(), bottle: Tenths(tenths: next()), breast: nextDuration(), wet: next(),
            dirty: next(), mixed: next(), dry: next(), sleeps: next(), slept: nextDuration(),
            longestSleep: nextDuration())
    }

    fileprivate var asNumbers: [Int64] {
        [
            Int64(feedings), Int64(bottle.tenths), breast.microseconds, Int64(wet), Int64(dirty),
            Int64(mixed), Int64(dry), Int64(sleeps), slept.microseconds, longestSleep.microseconds,
        ]
    }
}

extension [Int64] {
    /// Pieces of that many numbers.
    fileprivate func split(_ count: Int) -> [ArraySlice<Int64>] {
        stride(from: 0, to: self.count, by: count).map {
            self[$0..<Swift.min($0 + count, self.count)]
        }
    }
}
