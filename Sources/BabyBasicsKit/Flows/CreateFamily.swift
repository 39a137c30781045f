import BabyBasicsAPI
import BabyBasicsClient
import Foundation

// What is sent again after a lost answer is made once, by its id; the name that the person wrote last holds.

extension Home {
    /// Makes a family that this account owns.
    func makeFamily(_ id: FamilyID, name: String) async throws -> FamilyID {
        let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
        struct Answer: Decodable, Sendable { var family: ServerFamily }
        var family = try await client.ask(
            Endpoints.createFamily.description, body: NewFamily(id: id, name: name), as: Answer.self
        ).family
        if family.name != name {
            family = try await client.ask(
                Endpoints.updateFamily.description, family.id, body: FamilyChanges(name: name), as: Answer.self
            ).family
        }
        try await store.adopt(family, role: .parent)
        return family.id
    }

    /// Makes a child in a family.
    func makeChild(
        _ id: ChildID, name: String, dateOfBirth: CalendarDate, in family: FamilyID
    ) async throws {
        let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
        struct Answer: Decodable, Sendable { var child: ServerChild }
        var child = try await client.ask(
            Endpoints.createChild.description, family,
            body: NewChild(id: id, name: name, dateOfBirth: dateOfBirth), as: Answer.self
        ).child
        if child.name != name || child.dateOfBirth != dateOfBirth {
            child = try await client.ask(
                Endpoints.updateChild.description, child.id,
                body: ChildChanges(name: name, dateOfBirth: dateOfBirth), as: Answer.self
            ).child
        }
        try await store.adopt(child)
    }
}
