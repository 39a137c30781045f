import BabyBasicsAPI
import Postgres

/// Logs an event by one statement, which finds the session and the membership, locks the family, takes its next number and puts the
/// event into its table.
///
/// - Returns: nil for a body that is not as it should be, and for an identifier of the client's own, which may be taken; in the end nil for
///   callers who are no members, or not any more when the statement is done with waiting.
func createEventAtOnce(
    _ context: RequestContext, _ admission: Admission, in table: EventTable
) throws -> ((inout Admission) throws -> Reply<EventReply>?)? {
    guard let creation = table.creation, admission.granted?.count.isRefusal != true,
        let childID = Identifier<Child>(context.parameters[0]),
        let values = context.valuesOfNewEvent(table.kind)
    else { return nil }
    let id: Identifier<AnyEvent> = try context.newIdentifier()
    let question = creation.questionOfWholeChange(context, admission) {
        $0.append(childID)
        $0.append(id)
        $0.append(values, of: table.kind)
    }
    try question.ask()
    return { admission in
        guard let found = try question.logged(&admission), let revision = found.revision else {
            return nil
        }
        let event = StoredEvent(
            table: table, id: id, childID: childID, values: values, author: found.author,
            createdAt: context.now, updatedAt: context.now, revision: revision, deletedAt: nil)
        return Reply(EventReply(event: event), revision: revision)
    }
}

extension SessionQuestion {
    /// Nil where the request can't be answered so; from then on it is counted.
    fileprivate func logged(
        _ admission: inout Admission
    ) throws -> (author: Author, revision: Int64?)? {
        do {
            let found = try rows {
                (revision: try $0.next(Int64?.self), name: try $0.next(String.self))
            }
            admission.isCounted = true
            admission.granted = nil
            guard let row = found.rows.first else { return nil }
            return (Author(userId: found.caller.userID, name: row.name), row.revision)
        } catch let error as PostgresError where error.sqlState == .memberIsGone {
            admission.isCounted = true
            return nil
        } catch is NoCounter {
            return nil
        }
    }
}

extension SQLState {
    /// Of the function `require_member`.
    fileprivate static let memberIsGone = SQLState(rawValue: "BB001")
}

extension RequestContext {
    /// What the body says, if it is a good one.
    fileprivate func valuesOfNewEvent(_ kind: EventKind) -> [FieldValue]? {
        guard (try? requireJSON(self)) != nil, let fields = try? fields(), !fields.contains("id"),
            let values = fields.values(of: kind, now: now)
        else { return nil }
        return try? fields.all(values)
    }
}

extension EventTable {
    /// The statement reads everything as it was when it began, but its update waits for whoever changes the family, and goes on from what
    /// that one has left: another number than the next shows that there was a change, which may have removed the caller or the child.
    static func creation(of kind: EventKind) -> SessionStatement? {
        guard !kind.warnsOfOverlap else { return nil }
        let names = kind.fields.map(\.name)
        return SessionStatement(
            steps: """
                , f as (
                    update families f set last_revision = f.last_revision + 1
                    from s join family_members m on m.user_id = s.user_id
                        join children c on c.family_id = m.family_id and c.id = $3
                        join families before on before.id = m.family_id
                    where f.id = m.family_id
                    returning f.id, f.last_revision, f.last_revision = before.last_revision + 1 as is_next, s.user_id
                ), e as (
                    insert into \(kind.plural) (id, child_id, family_id, created_by, created_at, updated_at, revision,
                        \(names.joined(separator: ", ")))
                    select $4, $3, f.id, f.user_id, $2, $2, f.last_revision,
                        \(names.indices.map { "$\($0 + 5)" }.joined(separator: ", "))
                    from f where f.is_next or require_member($3, f.user_id)
                    returning revision)
                """,
            columns: ", e.revision, u.name",
            joins: "left join e on true join users u on u.id = s.user_id")
    }
}
