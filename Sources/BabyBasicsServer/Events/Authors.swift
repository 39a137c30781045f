import BabyBasicsAPI
import Postgres

/// The names of those who logged and changed a page of events. They are few, so that each is read once: the family's members come with the
/// events, and those who have left are asked for when one of them is met.
struct Authors {
    private(set) var names: [UserID: String] = [:]

    /// Rows of the family's members in the place of events, to be united with theirs.
    static func rows(of family: String, at moment: String) -> String {
        """
        (select \(EventRow.columns(of: .author, id: "a.id", ["name": "a.name"]))
        from \(Members.current("m", at: moment)) join users a on a.id = m.user_id where m.family_id = \(family))
        """
    }

    /// Reads an author's row, behind its kind.
    mutating func add(_ row: inout Row) throws {
        let id: UserID = try row.next()
        row.skip()
        for column in EventColumns.all {
            if column.name == "name" { names[id] = try row.next() } else { row.skip() }
        }
        row.skip(6)
    }
}

extension Database {
    /// Gives events the names of their authors. Of an account that was deleted only the name is shown.
    func name(_ events: inout [StoredEvent], by authors: Authors) async throws {
        var names = authors.names
        let met = events.flatMap { [$0.createdBy.userId, $0.updatedBy?.userId] }
        let strangers = Set(met.compactMap { $0 }).subtracting(names.keys)
        var goneNames: [UserID: String] = [:]
        if !strangers.isEmpty {
            let found = try await rows(
                "select id, name, deleted_at is null from users where id = any (\(strangers.map(\.uuid)))"
            ) { (id: try $0.next(UserID.self), name: try $0.next(String.self), isHere: try $0.next(Bool.self)) }
            for one in found {
                if one.isHere { names[one.id] = one.name } else { goneNames[one.id] = one.name }
            }
        }
        func named(_ author: Author) -> Author {
            guard let id = author.userId else { return author }
            return names[id].map { Author(userId: id, name: $0) } ?? Author(userId: nil, name: goneNames[id] ?? "")
        }
        for index in events.indices {
            events[index].createdBy = named(events[index].createdBy)
            events[index].updatedBy = events[index].updatedBy.map(named)
        }
    }
}
