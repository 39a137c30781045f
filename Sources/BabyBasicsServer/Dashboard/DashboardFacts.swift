import BabyBasicsAPI
import Postgres

/// The day that a dashboard shows, before anything is known of it.
struct DashboardWeek {
    let child: Child
    /// The day that is shown.
    let date: CalendarDate
    let timeZone: String
    /// Where each of the seven days begins, oldest first, and where the last one ends.
    let edges: [Timestamp]
    /// Whether the child has any, on whatever days.
    let hasPlans: Bool

    /// Reads what `DashboardQuery.week` selects.
    init(_ row: inout Row) throws {
        child = try Child(&row)
        date = try row.next()
        timeZone = try row.next()
        edges = try row.next()
        hasPlans = try row.next()
    }

    var start: Timestamp { edges[edges.count - 2] }
    var end: Timestamp { edges[edges.count - 1] }

    /// Whether a moment is of the day that is shown.
    func holds(_ moment: Timestamp) -> Bool { start <= moment && moment < end }
}

/// What a dashboard is made of.
struct DashboardFacts {
    let week: DashboardWeek
    let now: Timestamp
    /// The events of the week and of the day before it, the latest first; and the latest of each kind that is shown, however old.
    let events: [StoredEvent]
    let plans: [PlanOfDay]

    /// The latest of a kind that begins before the day's end.
    func last(_ kind: EventKind) -> StoredEvent? { events.first { $0.kind === kind } }

    /// The latest breast feeding of the last hours that has no end.
    var openFeeding: StoredEvent? {
        events.first {
            $0.kind === FeedingDetails.kind && $0.type == FeedingDetails.Method.breast.rawValue && $0.end == nil
                && $0.at >= now.adding(.seconds(-4 * 3600))
        }
    }

    /// The sleep that goes on.
    var openSleep: StoredEvent? { events.first { $0.isYoungSleep(at: now) } }
}

extension StoredEvent {
    var type: String? { kind.type.flatMap { values[$0].text } }
    var end: Timestamp? { kind.end.flatMap { values[$0].time } }

    func number(_ name: String) -> Tenths? {
        kind.fields.firstIndex { $0.name == name }.flatMap { values[$0].number }
    }

    /// Whether it is a sleep that goes on; one that began long ago and has no end was forgotten.
    func isYoungSleep(at now: Timestamp) -> Bool {
        kind === SleepDetails.kind && end == nil && at > now.adding(.zero - EventKind.longest)
    }
}

extension RequestContext {
    /// The week's events, by one statement.
    func dashboardFacts(of week: DashboardWeek) async throws -> DashboardFacts {
        var authors = Authors()
        let kinds = DashboardQuery.lastKinds.map { Int16($0.number) }
        let statement = DashboardQuery.events.binding(
            week.child.familyId, week.child.id, week.edges[0].adding(.zero - EventKind.longest), week.end, kinds, now)
        let rows = try await database.read(statement) { row -> StoredEvent? in
            let kind = try row.next(Int16.self)
            if kind >= 0 { return try StoredEvent(number: Int(kind), &row) }
            try authors.add(&row)
            return nil
        }
        var events = rows.compactMap { $0 }.sorted {
            $0.at != $1.at ? $0.at > $1.at : $0.id.description > $1.id.description
        }
        try await database.name(&events, by: authors)
        return DashboardFacts(week: week, now: now, events: events, plans: try await plans(of: week))
    }
}
