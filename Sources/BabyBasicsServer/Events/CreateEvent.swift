import BabyBasicsAPI
import Postgres

/// Logs an event.
func createEvent(
    _ context: RequestContext, _ membership: ChildMembership, in table: EventTable
) async throws -> Reply<EventReply> {
    let fields = try context.fields()
    let clientID = fields.optional("id", .identifier() as Rule<Identifier<AnyEvent>>)
    let database = context.database
    var isTaken = false
    if case .some(.some(let id)) = clientID, try await !database.claim(id.uuid) {
        let existing = try await database.event(id, of: membership.child.id, in: table)
        if let existing, existing.isReplay(of: membership) {
            return try await database.reply(existing, status: 200)
        }
        isTaken = true
    }
    let (id, values) = try fields.all(clientID, fields.values(of: table.kind, now: context.now))
    if isTaken { throw APIError.identifierTaken }
    let event = try StoredEvent(
        new: values, id: id ?? context.newIdentifier(), in: table, membership, context,
        revision: context.takeRevisions(of: membership.familyID))
    try database.enqueue(table.insert(event, family: membership.familyID))
    return try await database.reply(event)
}

extension StoredEvent {
    /// An event that the caller makes now.
    init(
        new values: [FieldValue], id: Identifier<AnyEvent>, in table: EventTable,
        _ membership: ChildMembership, _ context: RequestContext, revision: Int64
    ) {
        self.init(
            table: table, id: id, childID: membership.child.id, values: values,
            author: Author(userId: membership.caller.userID, name: membership.callerName),
            createdAt: context.now, updatedAt: context.now, revision: revision, deletedAt: nil)
    }

    /// Whether it is what the same person would make by sending again.
    func isReplay(of membership: ChildMembership) -> Bool {
        deletedAt == nil && author.userId == membership.caller.userID
    }
}
