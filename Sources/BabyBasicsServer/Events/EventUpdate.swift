import BabyBasicsAPI
import Postgres

extension RequestContext {
    /// Changes the event that the path names: looks at it, and writes what `change` makes of it if it is still at the revision that was looked
    /// at. Where others are quicker it begins again, and at last under the family's lock.
    ///
    /// - Parameter change: nil where the event stays as it is.
    func change(
        eventOf kind: EventKind, _ action: AuditedAction, deletedToo: Bool = false,
        _ change: (StoredEvent) async throws -> StoredEvent?
    ) async throws -> StoredEvent {
        for _ in 1...2 {
            let event = try await findEvent(of: kind, deletedToo: deletedToo)
            guard let changed = try await change(event) else { return event }
            if let kept = try await keep(changed, insteadOf: event, action) { return kept }
        }
        return try await changing {
            let event = try await findEvent(of: kind, deletedToo: deletedToo)
            guard let changed = try await change(event) else { return event }
            guard let kept = try await keep(changed, insteadOf: event, action) else {
                throw APIError.unavailable(retryAfter: 1)
            }
            return kept
        }
    }

    /// Writes a changed event under the family's next number, with an entry in the audit log.
    /// - Returns: nil where the event, the child that it moves to or the membership has changed meanwhile.
    private func keep(
        _ event: StoredEvent, insteadOf before: StoredEvent, _ action: AuditedAction
    ) async throws -> StoredEvent? {
        guard let family = try await place(of: .child).family else { return nil }
        try await requireAloneIfOngoing(event, insteadOf: before, family)
        let entry: Identifier<AuditedEntity> = try newIdentifier()
        let changes = AuditChanges(of: event, insteadOf: before)
        let made = try await make(EventUpdate.statement, in: family) {
            $0.append(event.id)
            $0.append(before.revision)
            $0.append(event.childID)
            $0.append(event.deletedAt)
            $0.append(entry)
            $0.append(AuditedEntity.event(event.kind).rawValue)
            $0.append(action.rawValue)
            $0.append(changes.json)
            $0.append(event.values, of: event.kind)
        }
        guard let (author, revision) = made else { return nil }
        var event = event
        (event.updatedBy, event.updatedAt, event.revision) = (author, now, revision)
        return event
    }

    /// - Throws: `APIError` 409 where the event would go on beside another that the child can have one of.
    private func requireAloneIfOngoing(
        _ event: StoredEvent, insteadOf before: StoredEvent, _ family: FamilyID
    ) async throws {
        func goesOn(_ event: StoredEvent) -> Bool {
            event.deletedAt == nil && event.kind.isOngoing(event.values)
        }
        guard goesOn(event), !goesOn(before) || event.childID != before.childID,
            let other = try await database.ongoingSleep(of: event.childID, in: family)
        else { return }
        throw APIError.ongoing(event.kind, [event.kind.ongoingConflict(with: other.description)])
    }
}

/// The statement that writes the event `$5` if its revision is `$6`: its child `$7`, its deletion `$8` and its values, and the entry of the
/// audit log, whose `id`, `entity_type`, `action` and `changes` are `$9` to `$12`.
private enum EventUpdate {
    static let statement = EventChange(
        values: 12 + EventColumns.all.count, count: "1",
        where: """
            exists (select from events e where e.family_id = $3 and e.id = $5 and e.revision = $6)
            """,
        write: """
            update events e set child_id = $7, deleted_at = $8, updated_by = member.user_id, updated_at = $2,
                revision = feed.last_revision, \(assignments)
            from member, feed where e.family_id = $3 and e.id = $5 and e.revision = $6
            returning e.*
            """,
        log: """
            insert into audit_logs (id, user_id, token_name, family_id, entity_type, entity_id, action, changes, created_at)
            select $9, member.user_id, caller.token_name, $3, $10, $5, $11, $12, $2 from change, member, caller
            """,
        type: "case when $8 is null then 'event.updated' else 'event.deleted' end")

    private static let assignments = EventColumns.all.enumerated()
        .map { "\($1.name) = $\(13 + $0)" }.joined(separator: ", ")
}

extension AuditChanges {
    /// What of an event has changed; of one that was deleted all that it was.
    fileprivate init(of event: StoredEvent, insteadOf before: StoredEvent) {
        self = .none
        guard event.deletedAt == nil else {
            for (field, value) in zip(event.kind.fields, before.values) { note(field.name, from: value, to: .nothing) }
            return
        }
        note("child_id", from: before.childID, to: event.childID)
        for (index, field) in event.kind.fields.enumerated() {
            note(field.name, from: before.values[index], to: event.values[index])
        }
        note("deleted_at", from: before.deletedAt, to: event.deletedAt)
    }
}
