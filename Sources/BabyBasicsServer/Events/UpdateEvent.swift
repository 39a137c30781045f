import BabyBasicsAPI
import Postgres

/// Changes what the body names of an event: a merge patch (RFC 7396). With `child_id` it moves to another child of the family.
func updateEvent<Details>(_ context: RequestContext) async throws -> Reply<EventAnswer<Details>> {
    try await change(context) { event, fields in
        let values = fields.values(of: Details.kind, onto: event.values, now: context.now)
        return (values, try await context.destination(of: event, fields))
    }
}

/// Replaces all that can be changed of an event.
func replaceEvent<Details>(_ context: RequestContext) async throws -> Reply<EventAnswer<Details>> {
    try await change(context) { event, fields in
        (fields.values(of: Details.kind, now: context.now), event.childID)
    }
}

/// - Parameter read: the event's values and child as the body wants them; nil notes a problem.
private func change<Details>(
    _ context: RequestContext,
    _ read: (StoredEvent, Fields) async throws -> ([FieldValue]?, ChildID?)
) async throws -> Reply<EventAnswer<Details>> {
    let changed = try await context.change(eventOf: Details.kind, .update) { event in
        let fields = try context.fields()
        let ifMatch = context.ifMatch(beside: fields)
        let wanted = try await read(event, fields)
        fields.requireRecentStart(of: Details.kind, wanted.0, insteadOf: event.values, now: context.now)
        let (values, child, expected) = try fields.all(wanted.0, wanted.1, ifMatch)
        try expected.require(event.revision)
        guard values != event.values || child != event.childID else { return nil }
        var changed = event
        changed.values = values
        changed.childID = child
        return changed
    }
    return await context.reply(changed)
}

/// Takes an event away, for 30 days to be restored.
func deleteEvent(_ context: RequestContext, of kind: EventKind) async throws -> Reply<Empty> {
    _ = try await context.change(eventOf: kind, .delete) { event in
        try context.ifMatch().require(event.revision)
        var deleted = event
        deleted.deletedAt = context.now
        return deleted
    }
    return .nothing
}

/// Brings back an event that was deleted in the last 30 days. One that is not deleted stays as it is.
func restoreEvent<Details>(_ context: RequestContext) async throws -> Reply<EventAnswer<Details>> {
    let restored = try await context.change(eventOf: Details.kind, .update, deletedToo: true) { event in
        if let deletedAt = event.deletedAt, context.now.since(deletedAt) > .seconds(30 * 86_400) {
            throw APIError.notFound
        }
        try context.ifMatch().require(event.revision)
        guard event.deletedAt != nil else { return nil }
        var restored = event
        restored.deletedAt = nil
        return restored
    }
    return await context.reply(restored)
}

extension RequestContext {
    /// The child that a patch says the event is of. Nil notes a problem.
    fileprivate func destination(of event: StoredEvent, _ fields: Fields) async throws -> ChildID? {
        guard let named = fields.kept("child_id", .identifier() as Rule<ChildID>) else { return nil }
        guard let child = named, child != event.childID else { return event.childID }
        let family = try await place(of: .child).family
        let isOfFamily = try await database.first(
            "select true from children where family_id = \(family) and id = \(child)"
        ) { try $0.next(Bool.self) }
        return isOfFamily != nil
            ? child : fields.problem("child_id", "must be a child of the same family", .unknown)
    }
}
