import BabyBasicsAPI
import Postgres

extension EventTable {
    /// Puts an event into its table.
    func insert(_ event: StoredEvent, family: FamilyID) -> SQL {
        let names = kind.fields.map(\.name).joined(separator: ", ")
        var sql = SQL.StringInterpolation(literalCapacity: 300, interpolationCount: 16)
        sql.appendLiteral(
            "insert into \(kind.plural) (id, child_id, family_id, created_by, created_at, "
                + "updated_at, revision, \(names)) values (")
        sql.appendInterpolation(
            fragment: """
                \(event.id), \(event.childID), \(family), \(event.author.userId), \(event.createdAt),
                \(event.updatedAt), \(event.revision)
                """)
        for (field, value) in zip(kind.fields, event.values) {
            sql.appendLiteral(", ")
            sql.append(value, as: field.form.storage)
        }
        sql.appendLiteral(")")
        return SQL(stringInterpolation: sql)
    }

    /// Gives an event's row all that can change of it.
    func update(_ event: StoredEvent) -> SQL {
        var sql = SQL.StringInterpolation(literalCapacity: 300, interpolationCount: 16)
        sql.appendLiteral("update \(kind.plural) set ")
        for (field, value) in zip(kind.fields, event.values) {
            sql.appendLiteral("\(field.name) = ")
            sql.append(value, as: field.form.storage)
            sql.appendLiteral(", ")
        }
        sql.appendInterpolation(
            fragment: """
                updated_at = \(event.updatedAt), revision = \(event.revision),
                deleted_at = \(event.deletedAt) where id = \(event.id)
                """)
        return SQL(stringInterpolation: sql)
    }
}

extension SQL.StringInterpolation {
    fileprivate mutating func append(_ value: FieldValue, as storage: Storage) {
        switch storage {
        case .time: appendInterpolation(value.time)
        case .text: appendInterpolation(value.text)
        case .number: appendInterpolation(value.number)
        }
    }
}

extension Session {
    /// An event of a child, be it deleted.
    func event(_ id: Identifier<AnyEvent>, of child: ChildID, in table: EventTable) throws
        -> StoredEvent?
    {
        try events(from: table.rows(where: "id = \(id) and child_id = \(child)")).first
    }

    /// Gives `count` changes of this request the family's next numbers.
    ///
    /// Nobody else gives any until the transaction ends, so that the counter can be written with the changes themselves, without a round trip.
    /// - Returns: the first of them. Once a request: a second call would give the same.
    func takeRevisions(_ count: Int = 1, _ membership: ChildMembership) throws -> Int64 {
        try enqueue(
            """
            update families set last_revision = last_revision + \(Int64(count))
            where id = \(membership.familyID)
            """)
        return membership.lastRevision + 1
    }

    /// For each of these events those of the same kind and child that go on at the same time, at most 20, earliest first.
    /// Ends that touch do not overlap; what has not ended goes on for ever.
    func overlaps(of events: [StoredEvent]) throws -> [Identifier<AnyEvent>: [EventWarning]] {
        guard let table = events.first?.table, table.kind.warnsOfOverlap,
            let endField = table.kind.end
        else { return [:] }
        let (start, end) = (table.timeColumn, table.kind.fields[endField].name)
        // Nothing lasts longer than a day, so that the index on the start finds all but what still goes on.
        let pairs = try rows(
            """
            select e.id, o.id
            from \(unescaped: table.kind.plural) e
            cross join lateral (
                select id, \(unescaped: start) as start from \(unescaped: table.kind.plural) o
                where o.child_id = e.child_id and o.deleted_at is null and o.id <> e.id
                    and o.\(unescaped: start) > e.\(unescaped: start) - interval '1 day'
                    and o.\(unescaped: start) < coalesce(e.\(unescaped: end), 'infinity')
                    and o.\(unescaped: end) > e.\(unescaped: start)
                union all
                select id, \(unescaped: start) from \(unescaped: table.kind.plural) o
                where o.child_id = e.child_id and o.deleted_at is null and o.id <> e.id
                    and o.\(unescaped: end) is null
                    and o.\(unescaped: start) < coalesce(e.\(unescaped: end), 'infinity')
                order by 2, 1
                limit 20
            ) o
            where e.id = any (\(events.map(\.id.uuid)))
            order by e.id, o.start, o.id
            """
        ) {
            (
                event: try $0.next(Identifier<AnyEvent>.self),
                other: try $0.next(Identifier<AnyEvent>.self)
            )
        }
        return Dictionary(grouping: pairs) { $0.event }
            .mapValues { $0.map { EventWarning(code: .overlap, eventId: $0.other) } }
    }
}
