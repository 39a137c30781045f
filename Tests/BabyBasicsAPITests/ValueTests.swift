import BabyBasicsAPI
import Foundation
import Testing

@Suite("Values of the wire")
struct ValueTests {
    @Test(
        "Times are read with any offset and written in UTC with milliseconds",
        arguments: [
            ("2026-02-25T12:00:00.000Z", "2026-02-25T12:00:00.000Z"),
            ("2026-02-25T12:00:00Z", "2026-02-25T12:00:00.000Z"),
            ("2026-02-25t12:00:00z", "2026-02-25T12:00:00.000Z"),
            ("2026-02-25T14:00:00+14:00", "2026-02-25T00:00:00.000Z"),
            ("2026-02-25T23:30:00-05:30", "2026-02-26T05:00:00.000Z"),
            ("2026-02-25T12:00:00.1Z", "2026-02-25T12:00:00.100Z"),
            ("2026-02-25T12:00:00.123456789Z", "2026-02-25T12:00:00.123Z"),
            ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"),
            ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"),
            ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
            ("2024-02-29T00:00:00-00:00", "2024-02-29T00:00:00.000Z"),
        ])
    func times(_ text: String, _ written: String) {
        #expect(Timestamp(text)?.description == written)
    }

    @Test(
        "What is no RFC 3339 time is refused",
        arguments: [
            "", "2026-02-25", "2026-02-25 12:00:00Z", "2026-02-25T12:00:00", "2026-02-25T12:00Z",
            "2026-02-30T12:00:00Z",
            "2026-02-25T24:00:00Z", "2026-02-25T12:60:00Z", "2026-02-25T23:59:60Z",
            "0000-01-01T00:00:00Z",
            "2026-02-25T12:00:00.Z", "2026-02-25T12:00:00+1:00", "2026-02-25T12:00:00+24:00",
            "2026-02-25T12:00:00+0100",
            "26-02-25T12:00:00Z", "2026-02-25T12:00:00Z ", "2026-02-25T12:00:00.0ZZ",
            "12026-02-25T12:00:00Z", "２026-02-25T12:00:00Z",
        ])
    func noTimes(_ text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test("Days agree with Foundation's calendar over four centuries")
    func calendar() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        for day in stride(from: -40_000, through: 110_000, by: 97) {
            let parts = calendar.dateComponents(
                [.year, .month, .day], from: Date(timeIntervalSince1970: Double(day) * 86_400))
            let date = CalendarDate(daysSince1970: day)
            #expect(
                date.components == (
                    try #require(parts.year), try #require(parts.month), try #require(parts.day)
                ))
            #expect(CalendarDate(date.description) == date)
        }
    }

    @Test("Identifiers are UUIDs of 36 characters, lower case when written")
    func identifiers() {
        let text = "550E8400-E29B-41D4-A716-446655440000"
        #expect(FamilyID(text)?.description == text.lowercased())
        for bad in [
            "", "550e8400e29b41d4a716446655440000", "{550e8400-e29b-41d4-a716-446655440000}",
            text + "0", " " + text.dropFirst(),
        ] {
            #expect(FamilyID(bad) == nil, "\(bad)")
        }
    }

    @Test("The contract's coders turn names of Swift into names of the wire and back")
    func coders() throws {
        let invite = NewInvite(
            role: .viewer, inviteeEmail: "e", label: "l",
            accessUntil: Timestamp(microsecondsSince1970: 0))
        let data = try JSONEncoder.contract.encode(invite)
        let members = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(Set(members.keys) == ["role", "invitee_email", "label", "access_until"])
        #expect(try JSONDecoder.contract.decode(NewInvite.self, from: data) == invite)
    }

    @Test(
        "What changes of a membership is written, and only that",
        arguments: [
            (MemberChanges(), "{}"), (MemberChanges(role: .viewer), #"{"role":"viewer"}"#),
            (MemberChanges(access: .unlimited), #"{"access_until":null}"#),
            (
                MemberChanges(access: .until(Timestamp(microsecondsSince1970: 0))),
                #"{"access_until":"1970-01-01T00:00:00.000Z"}"#
            ),
        ])
    func memberChanges(_ changes: MemberChanges, _ text: String) throws {
        let data = try JSONEncoder.contract.encode(changes)
        #expect(String(decoding: data, as: UTF8.self) == text)
        #expect(try JSONDecoder.contract.decode(MemberChanges.self, from: data) == changes)
    }
}
