import BabyBasicsAPI
import FoundationEssentials
import JSON
import Postgres

/// Logs many events at once, or none of them: what a phone kept while it was offline, or an import.
func createEvents(_ context: RequestContext, membership: ChildMembership) async throws
    -> Reply<EventBatchReply>
{
    let fields = try context.fields()
    let elements = fields.objects("events", count: 1...500) ?? []
    let entries = elements.enumerated().compactMap { BatchEntry($0, $1) }
    let database = context.database
    let found = try await database.claimed(entries, of: membership)
    var known = found.events
    var plans: [BatchPlan] = []
    var conflicts: [ErrorBody.Detail] = []
    for entry in entries {
        if let id = entry.id, let event = known[id],
            event.table === entry.table, event.isReplay(of: membership)
        {
            plans.append(BatchPlan(event: event, isNew: false))
            continue
        }
        let values = entry.fields.values(of: entry.table.kind, now: context.now)
        if let id = entry.id, known[id] != nil || found.taken.contains(id.uuid) {
            conflicts.append(
                .init(field: "events[\(entry.index)].event.id", message: "is taken"))
        } else if let values {
            let event = try StoredEvent(
                new: values, id: entry.id ?? context.newIdentifier(), in: entry.table, membership,
                context, revision: 0)
            // Sent twice in one batch is sent again.
            known[event.id] = event
            plans.append(BatchPlan(event: event, isNew: true))
        }
    }
    try fields.refuseProblems()
    guard conflicts.isEmpty else {
        throw APIError(.conflict, APIError.identifierTaken.message, details: conflicts)
    }
    return Reply(try await database.make(plans, membership, context))
}

/// What a batch says of one event before its fields are read.
private struct BatchEntry {
    let index: Int
    let table: EventTable
    let fields: Fields
    let id: Identifier<AnyEvent>?

    /// Nil notes a problem.
    init?(_ index: Int, _ element: Fields?) {
        guard let element else { return nil }
        let names = EventTable.all.map(\.kind.name).joined(separator: ", ")
        let table = element.required(
            "type",
            .text("must be one of \(names)") { name in
                EventTable.all.first { $0.kind.name == name }
            })
        guard let fields = element.object("event"), let table else { return nil }
        // What is no identifier has been noted, and keeps no other fault of the event from being named with it.
        let id = fields.optional("id", .identifier() as Rule<Identifier<AnyEvent>>)
        (self.index, self.table, self.fields, self.id) = (index, table, fields, id ?? nil)
    }
}

/// An event of the answer, and whether it is still to be written.
private struct BatchPlan {
    var event: StoredEvent
    let isNew: Bool
}

extension Database {
    /// Whatever the identifiers of a batch belong to already, and which of it are events of this child.
    ///
    /// The others are this batch's own: see `claim`.
    fileprivate func claimed(_ entries: [BatchEntry], of membership: ChildMembership) async throws
        -> (taken: Set<UUID>, events: [Identifier<AnyEvent>: StoredEvent])
    {
        let ids = entries.compactMap(\.id?.uuid)
        let taken = ids.isEmpty ? [] : try await claim(ids)
        guard !taken.isEmpty else { return ([], [:]) }
        let rows = EventTable.all.map {
            $0.rows(where: "child_id = \(membership.child.id) and id = any (\(Array(taken)))")
        }
        let events = try await events(from: rows.joined(separator: " union all "))
        return (taken, Dictionary(events.map { ($0.id, $0) }) { first, _ in first })
    }

    /// Writes what is new, each with a number of its own in the order of the batch, in one round trip.
    fileprivate func make(
        _ plans: [BatchPlan], _ membership: ChildMembership, _ context: RequestContext
    ) async throws
        -> EventBatchReply
    {
        var made: [Identifier<AnyEvent>: StoredEvent] = [:]
        var revision = try context.takeRevisions(plans.count { $0.isNew }, of: membership.familyID)
        for var plan in plans where plan.isNew {
            plan.event.revision = revision
            revision += 1
            made[plan.event.id] = plan.event
            try enqueue(plan.event.table.insert(plan.event, family: membership.familyID))
        }
        let events = plans.map { made[$0.event.id] ?? $0.event }
        var warnings: [Identifier<AnyEvent>: [EventWarning]] = [:]
        for events in Dictionary(grouping: events, by: \.table.number).values {
            warnings.merge(try await overlaps(of: events)) { first, _ in first }
        }
        return EventBatchReply(
            entries: events.map { TimelineEntry(event: $0, warnings: warnings[$0.id] ?? []) })
    }
}

struct EventBatchReply: JSONWritable {
    let entries: [TimelineEntry]

    func write(to json: inout JSONWriter) {
        json.object {
            $0.member("events", entries)
            $0.member("count", entries.count)
        }
    }
}
