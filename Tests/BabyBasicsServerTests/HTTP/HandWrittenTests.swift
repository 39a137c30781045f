import BabyBasicsAPI
import Foundation
import JSON
import Testing

@testable import BabyBasicsServer

/// What is written by hand for its speed, or for a member that may be absent, is what the type's coding would write.
@Suite("Values written by hand")
struct HandWrittenTests {
    private let time = Timestamp(microsecondsSince1970: -1000)

    private func check<Value: Codable & Hashable & JSONWritable>(_ value: Value, absent: Set<String> = []) throws {
        var json = JSONWriter()
        value.write(to: &json)
        #expect(try JSONDecoder.contract.decode(Value.self, from: Data(json.bytes)) == value)
        let coded = try JSON(Array(JSONEncoder.contract.encode(value)))
        #expect(try JSON(json.bytes).keys.isSuperset(of: coded.keys))
        #expect(try JSON(json.bytes).keys.isDisjoint(with: absent))
    }

    @Test func children() throws {
        let child = Child(
            id: ChildID(UUID()), familyId: FamilyID(UUID()), familyName: "\"Ana\" \\ \u{1}\u{2028}é李👶", name: "Luz",
            dateOfBirth: CalendarDate(daysSince1970: -1), role: .caregiver, revision: .max, createdAt: time,
            updatedAt: time)
        try check(child)
        try check(ChildList(children: [child, child]))
    }

    @Test("Invites: the deep link is absent where there is none")
    func invites() throws {
        for link in [nil, "babybasics://invite/x"] {
            try check(
                Invite(
                    id: InviteID(UUID()), joinUrl: "https://x/join/y", deepLink: link, role: .parent,
                    inviteeEmail: link, expiresAt: time, createdAt: time),
                absent: link == nil ? ["deep_link"] : [])
        }
    }

    @Test func authors() throws {
        try check(Author(userId: nil, name: ""))
        try check(Author(userId: UserID(UUID()), name: "Ana"))
    }
}
