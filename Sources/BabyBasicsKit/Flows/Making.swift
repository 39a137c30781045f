import BabyBasicsAPI
import BabyBasicsClient
import Foundation

// What is sent again after a lost answer is made once, by its id; the name that the person wrote last holds.

extension Home {
    /// Makes a family that this account owns.
    func makeFamily(_ id: FamilyID, name: String) async throws -> FamilyID {
        let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
        var family = try await client.send(
            Endpoints.createFamily, body: NewFamily(id: id, name: name)
        ).body.family
        if family.name != name {
            family = try await client.send(
                Endpoints.updateFamily, path: family.id, body: FamilyChanges(name: name)
            ).body.family
        }
        try await store.adopt(
            family: family.id, name: family.name, policy: family.sharingPolicy,
            owner: family.ownerId, role: .parent, createdAt: family.createdAt,
            revision: family.revision)
        return family.id
    }

    /// Makes a child in a family.
    func makeChild(
        _ id: ChildID, name: String, dateOfBirth: CalendarDate, in family: FamilyID
    ) async throws {
        let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
        var child = try await client.send(
            Endpoints.createChild, path: family,
            body: NewChild(id: id, name: name, dateOfBirth: dateOfBirth)
        ).body.child
        if child.name != name || child.dateOfBirth != dateOfBirth {
            child = try await client.send(
                Endpoints.updateChild, path: child.id,
                body: ChildChanges(name: name, dateOfBirth: dateOfBirth)
            ).body.child
        }
        try await store.adopt(child)
    }
}
