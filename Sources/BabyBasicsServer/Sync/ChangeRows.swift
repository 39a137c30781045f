import BabyBasicsAPI
import FoundationEssentials
import Postgres

/// One change, ready for the wire.
struct ChangeRow {
    let thing: ChangedThing
    /// Nil for what was deleted.
    let data: Data?

    enum Data {
        case family(Family)
        case familyMember(Member)
        case child(SyncedChild)
        case event(StoredEvent)
    }
}

extension Database {
    /// Reads the data of changed things of a family, one statement for each sort of thing that is among them.
    func changes(_ things: [ChangedThing], of family: FamilyID) async throws -> [ChangeRow] {
        let present = Dictionary(grouping: things.filter { !$0.isDeleted }, by: \.entity)
            .mapValues { $0.map(\.id) }
        var data: [UUID: ChangeRow.Data] = [:]
        if present[.family] != nil { data[family.uuid] = try await changedFamily(family) }
        if let ids = present[.familyMember] {
            for member in try await changedMembers(ids, of: family) {
                data[member.userId.uuid] = .familyMember(member)
            }
        }
        if let ids = present[.child] {
            for child in try await changedChildren(ids) { data[child.id.uuid] = .child(child) }
        }
        let kinds = EventTable.all.compactMap { table in
            present[.event(table.kind)].map { table.rows(where: "id = any(\($0))") }
        }
        if !kinds.isEmpty {
            for event in try await events(from: kinds.joined(separator: " union all ")) {
                data[event.id.uuid] = .event(event)
            }
        }
        return try things.map { thing in
            let row = ChangeRow(thing: thing, data: thing.isDeleted ? nil : data[thing.id])
            // It was there in this very snapshot.
            guard thing.isDeleted || row.data != nil else { throw APIError.unexplained }
            return row
        }
    }

    private func changedFamily(_ family: FamilyID) async throws -> ChangeRow.Data? {
        try await first(
            """
            select id, name, sharing_policy, owner_id, revision, created_at, updated_at
            from families where id = \(family)
            """
        ) { .family(try Family(&$0)) }
    }

    private func changedMembers(_ users: [UUID], of family: FamilyID) async throws -> [Member] {
        try await rows(
            """
            select m.user_id, u.name, u.email, m.role, m.user_id is not distinct from f.owner_id, m.revision, m.joined_at
            from family_members m join users u on u.id = m.user_id join families f on f.id = m.family_id
            where m.family_id = \(family) and m.user_id = any(\(users))
            """
        ) {
            Member(
                userId: try $0.next(), name: try $0.next(), email: try $0.next(),
                role: try $0.next(), isOwner: try $0.next(), revision: try $0.next(),
                joinedAt: try $0.next())
        }
    }

    private func changedChildren(_ ids: [UUID]) async throws -> [SyncedChild] {
        try await rows(
            """
            select c.id, c.family_id, f.name, c.name, c.date_of_birth, c.revision, c.created_at, c.updated_at
            from children c join families f on f.id = c.family_id where c.id = any(\(ids))
            """
        ) {
            SyncedChild(
                id: try $0.next(), familyId: try $0.next(), familyName: try $0.next(),
                name: try $0.next(), dateOfBirth: try $0.next(), revision: try $0.next(),
                createdAt: try $0.next(), updatedAt: try $0.next())
        }
    }
}
