import BabyBasicsAPI
import Postgres

/// Changes what the body names of an event: a merge patch (RFC 7396). With `child_id` it moves to another child of the family.
func updateEvent(_ context: RequestContext, in table: EventTable) async throws -> Reply<EventReply> {
    try await change(context, table) { found, fields in
        let event = found.event
        let values = fields.values(of: table.kind, onto: event.values, now: context.now)
        return (values, try await context.destination(of: found, fields))
    }
}

/// Replaces all that can be changed of an event.
func replaceEvent(_ context: RequestContext, in table: EventTable) async throws -> Reply<EventReply> {
    try await change(context, table) { found, fields in
        (fields.values(of: table.kind, now: context.now), found.event.childID)
    }
}

/// - Parameter read: the event's values and child as the body wants them; nil notes a problem.
private func change(
    _ context: RequestContext, _ table: EventTable,
    _ read: (FoundEvent, Fields) async throws -> ([FieldValue]?, ChildID?)
) async throws -> Reply<EventReply> {
    let changed = try await context.changing {
        let found = try await context.findEvent(in: table)
        let event = found.event
        let expected = try context.ifMatch()
        let fields = try context.fields()
        let wanted = try await read(found, fields)
        fields.requireRecentStart(
            of: table.kind, wanted.0, insteadOf: event.values, now: context.now)
        let (values, child) = try fields.all(wanted.0, wanted.1)
        try expected.require(event.revision)
        guard values != event.values || child != event.childID else { return event }
        var changed = event
        changed.values = values
        changed.childID = child
        try await context.keep(&changed, insteadOf: event, .update, found.familyID)
        return changed
    }
    return await context.reply(changed)
}

/// Takes an event away, for 30 days to be restored.
func deleteEvent(_ context: RequestContext, in table: EventTable) async throws -> Reply<Empty> {
    try await context.changing {
        let found = try await context.findEvent(in: table)
        try context.ifMatch().require(found.event.revision)
        var deleted = found.event
        deleted.deletedAt = context.now
        try await context.keep(&deleted, insteadOf: found.event, .delete, found.familyID)
    }
    return .nothing
}

/// Brings back an event that was deleted in the last 30 days. One that is not deleted stays as it is.
func restoreEvent(_ context: RequestContext, in table: EventTable) async throws -> Reply<EventReply> {
    let restored = try await context.changing {
        let found = try await context.findEvent(in: table, deletedToo: true)
        let event = found.event
        if let deletedAt = event.deletedAt, context.now.since(deletedAt) > .seconds(30 * 86_400) {
            throw APIError.notFound
        }
        try context.ifMatch().require(event.revision)
        guard event.deletedAt != nil else { return event }
        var restored = event
        restored.deletedAt = nil
        try await context.keep(&restored, insteadOf: event, .update, found.familyID)
        return restored
    }
    return await context.reply(restored)
}

extension RequestContext {
    /// The child that a patch says the event is of. Nil notes a problem.
    fileprivate func destination(of found: FoundEvent, _ fields: Fields) async throws -> ChildID? {
        guard let named = fields.kept("child_id", .identifier() as Rule<ChildID>) else { return nil }
        guard let child = named, child != found.event.childID else { return found.event.childID }
        let isOfFamily = try await database.first(
            "select true from children where id = \(child) and family_id = \(found.familyID)"
        ) { try $0.next(Bool.self) }
        return isOfFamily != nil
            ? child : fields.problem("child_id", "must be a child of the same family")
    }

    /// Writes a changed event, under the family's next number and with an entry in the audit log. All of it travels with COMMIT.
    fileprivate func keep(
        _ event: inout StoredEvent, insteadOf before: StoredEvent, _ action: AuditedAction,
        _ family: FamilyID
    ) async throws {
        try await requireAloneIfOngoing(event, insteadOf: before)
        event.revision = try takeRevisions(of: family)
        event.updatedAt = now
        try database.enqueue(event.table.update(event))
        var changes = AuditChanges.none
        if action == .delete {
            for (field, value) in zip(event.kind.fields, before.values) {
                changes.note(field.name, from: value, to: .nothing)
            }
        } else {
            changes.note("child_id", from: before.childID, to: event.childID)
            for (index, field) in event.kind.fields.enumerated() {
                changes.note(field.name, from: before.values[index], to: event.values[index])
            }
            changes.note("deleted_at", from: before.deletedAt, to: event.deletedAt)
        }
        try await audit(
            action, .event(event.kind), event.id.uuid, by: try authenticated.userID,
            family: family, changes: changes)
    }

    /// - Throws: `APIError` 409 where the event would go on beside another that the child can have one of.
    private func requireAloneIfOngoing(
        _ event: StoredEvent, insteadOf before: StoredEvent
    ) async throws {
        let table = event.table
        func goesOn(_ event: StoredEvent) -> Bool {
            event.deletedAt == nil && table.isOngoing(event.values)
        }
        guard goesOn(event), !goesOn(before) || event.childID != before.childID,
            let other = try await database.ongoing(in: table, of: event.childID)
        else { return }
        throw APIError.ongoing(table.kind, [table.ongoingConflict(with: other.description)])
    }
}
