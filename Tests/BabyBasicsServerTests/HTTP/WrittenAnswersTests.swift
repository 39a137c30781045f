import BabyBasicsAPI
import Foundation
import JSON
import Testing

@testable import BabyBasicsServer

/// What the writer writes is what a client of the API's types reads.
@Suite("Answers, written and read again")
struct WrittenAnswersTests {
    private let user = UserID(UUID())
    private let family = Family(
        id: FamilyID(UUID()), name: "\"Ana\" \\ \u{1}\n\u{7f}\u{2028}é李👶", sharingPolicy: .coParent,
        ownerId: nil, revision: .max,
        createdAt: Timestamp("1969-12-31T23:59:59.999Z") ?? .init(microsecondsSince1970: 0),
        updatedAt: Timestamp("2400-02-29T00:00:00.001Z") ?? .init(microsecondsSince1970: 0))

    private func roundTrip<Value: Decodable & Hashable & JSONWritable>(_ value: Value) throws {
        var json = JSONWriter()
        value.write(to: &json)
        let decoded = try JSONDecoder.contract.decode(Value.self, from: Data(json.bytes))
        #expect(decoded == value)
        expectMembers(of: value, in: try JSON(json.bytes))
    }

    /// Every member of the type is written, null where there is nothing, and nothing else.
    private func expectMembers(of value: Any, in written: JSON) {
        let mirror = Mirror(reflecting: value)
        switch written {
        case .object:
            let members = mirror.children.map { (name: snakeCase($0.label ?? ""), value: $0.value) }
            let absent = Set(members.map(\.name)).subtracting(written.keys)
            #expect(absent.isSubset(of: ["deep_link"]), "\(type(of: value))")
            #expect(written.keys.isSubset(of: members.map(\.name)), "\(type(of: value))")
            for member in members { expectMembers(of: member.value, in: written[member.name]) }
        case .array(let elements):
            for (child, element) in zip(mirror.children, elements) {
                expectMembers(of: child.value, in: element)
            }
        default: break
        }
    }

    @Test func families() throws {
        try roundTrip(FamilyAnswer(family: family))
        let member = Member(
            userId: user, name: "Ana", email: "a@example.com", role: .caregiver, isOwner: false,
            revision: 3,
            joinedAt: family.createdAt)
        let child = ChildSummary(
            id: ChildID(UUID()), name: "Luz", dateOfBirth: CalendarDate(daysSince1970: -1))
        try roundTrip(
            FamilyDetailsAnswer(
                family: FamilyDetails(
                    family: family, role: .parent, members: [member, member], children: [child])))
        try roundTrip(MemberList(members: [member]))
        try roundTrip(FamilyList(families: []))
        try roundTrip(
            FamilyList(families: [
                FamilySummary(
                    id: family.id, name: "", sharingPolicy: .standard, ownerId: user, role: .parent,
                    childrenCount: 0, membersCount: 12, revision: 0, createdAt: family.createdAt,
                    updatedAt: family.updatedAt)
            ]))
    }

    @Test func children() throws {
        let child = Child(
            id: ChildID(UUID()), familyId: family.id, familyName: family.name, name: "Luz",
            dateOfBirth: CalendarDate(daysSince1970: 20_000), role: .caregiver, revision: 9,
            createdAt: family.createdAt, updatedAt: family.updatedAt)
        try roundTrip(ChildAnswer(child: child))
        try roundTrip(ChildList(children: [child, child]))
    }

    @Test func invites() throws {
        for link in [nil, "babybasics://invite/x"] {
            try roundTrip(
                InviteAnswer(
                    invite: Invite(
                        id: InviteID(UUID()), joinUrl: "https://x/join/y", deepLink: link,
                        role: .parent,
                        inviteeEmail: link, expiresAt: family.createdAt, createdAt: family.updatedAt
                    )))
        }
        try roundTrip(
            Joined(
                family: .init(id: family.id, name: "F", role: .parent),
                invitedBy: NamedPerson(name: "J")))
        try roundTrip(
            InvitePreviewAnswer(
                invite: InvitePreview(
                    family: .init(name: "F"), invitedBy: NamedPerson(name: "J"), role: .caregiver,
                    expiresAt: family.updatedAt)))
    }

    @Test func accounts() throws {
        try roundTrip(
            SignedIn(
                session: .init(token: "t", expiresAt: family.createdAt),
                user: .init(
                    id: user, email: "e", name: "n", timezone: "UTC", dayStartTime: "07:00")))
        try roundTrip(
            UserAnswer(
                user: User(
                    id: user, email: "e", name: "n", timezone: "UTC", dayStartTime: "07:00",
                    createdAt: family.createdAt, updatedAt: family.updatedAt)))
        try roundTrip(Done())
        try roundTrip(Health(status: "ok", service: "s", version: "1"))
    }
}

/// `createdAt` as `created_at`.
private func snakeCase(_ name: String) -> String {
    name.reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
}
