import Foundation
import Postgres
import TestSupport
import Testing

/// Values go to PostgreSQL and come back the same; PostgreSQL's own view of them is right, too.
struct ValueTests {
    let fixture: Fixture
    var connection: TestConnection { fixture.connection }

    init() throws { fixture = try Fixture() }

    private func check<Value: PostgresValue & Equatable>(
        _ value: Value, shows text: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let (back, shown) = try #require(
            try connection.first("select \(value), (\(value))::text") { row in
                (try row.next(Value.self), try row.next(String.self))
            })
        #expect(back == value, sourceLocation: sourceLocation)
        #expect(shown == text, sourceLocation: sourceLocation)
        let null = try #require(
            try connection.first("select \(nil as Value?), \(nil as Value?) is null") { row in
                (try row.next(Value?.self), try row.next(Bool.self))
            })
        #expect(null.0 == nil && null.1, sourceLocation: sourceLocation)
        let some = try connection.first("select \(value as Value?)") { try $0.next(Value?.self) }
        #expect(some == .some(.some(value)), sourceLocation: sourceLocation)
    }

    @Test func scalars() throws {
        try check(true, shows: "true")
        try check(false, shows: "false")
        try check(Int16.min, shows: "-32768")
        try check(Int32.min, shows: "-2147483648")
        try check(Int64.max, shows: "9223372036854775807")
        try check(Int.min, shows: "-9223372036854775808")
        try check(-0.1, shows: "-0.1")
        try check(Double.infinity, shows: "Infinity")
        let id = try #require(UUID(uuidString: "6F9619FF-8B86-D011-B42D-00CF4FC964FF"))
        try check(id, shows: "6f9619ff-8b86-d011-b42d-00cf4fc964ff")
        try check([0, 255, 16, 92] as [UInt8], shows: "\\x00ff105c")
        try check([] as [UInt8], shows: "\\x")
    }

    @Test(arguments: [
        "", " ", "'; drop table users; --", "$1", "\\", "E'\\n'", "👩‍👧‍👦 é\u{301}", "a\nb\r\t\"",
        "NULL",
        String(repeating: "long ", count: 100_000),
    ])
    func text(_ text: String) throws {
        try check(text, shows: text)
    }

    @Test func arrays() throws {
        try check([] as [String], shows: "{}")
        try check(["a", "", "{,}\"", "NULL"], shows: #"{a,"","{,}\"","NULL"}"#)
        try check([1, -1, Int64.max], shows: "{1,-1,9223372036854775807}")
        try check([Int32(7)], shows: "{7}")
        try check([true, false], shows: "{t,f}")
        let ids = (0..<1000).map { _ in UUID() }
        try check(
            ids, shows: "{" + ids.map { $0.uuidString.lowercased() }.joined(separator: ",") + "}")
        let found = try connection.rows(
            "select x from generate_series(1, 9) x where x = any(\([2, 4]))"
        ) { try $0.next(Int.self) }
        #expect(found == [2, 4])
    }

    @Test func integersReadNarrowerColumns() throws {
        let numbers = try connection.first("select 1::int2, 2::int4, 3::int2, 4::int2, 0.5::float4") {
            row in
            (
                try row.next(Int.self), try row.next(Int64.self), try row.next(Int32.self),
                try row.next(Int16.self), try row.next(Double.self)
            )
        }
        #expect(try #require(numbers) == (1, 2, 3, 4, 0.5))
    }

    @Test func stringsReadWhatIsText() throws {
        let texts = try connection.first(
            """
            select 'a'::varchar, 'b'::char(3), 'c'::name, '{"d": 1}'::json, '{"e":  2}'::jsonb
            """
        ) { row in try (0..<5).map { _ in try row.next(String.self) } }
        #expect(texts == ["a", "b  ", "c", #"{"d": 1}"#, #"{"e": 2}"#])
    }

    @Test func json() throws {
        let document = JSONText(#"{"name": "O'Brien", "n": [1, null]}"#)
        let read = try connection.first(
            "select \(document), \(document)->>'name', \(document)::json, pg_typeof(\(document))::text"
        ) { row in
            (
                try row.next(JSONText.self), try row.next(String.self),
                try row.next(JSONText.self), try row.next(String.self)
            )
        }
        let (jsonb, name, json, type) = try #require(read)
        #expect(
            String(decoding: jsonb.bytes, as: UTF8.self) == #"{"n": [1, null], "name": "O'Brien"}"#)
        #expect(name == "O'Brien")
        #expect(json == jsonb)
        #expect(type == "jsonb")
        let bad = try failure { try connection.execute("select \(JSONText("{"))") }
        #expect(bad.sqlState == "22P02")
    }

    enum Role: String, PostgresValue { case parent, caregiver }

    @Test func enumerations() throws {
        let roles = try connection.first("select \(Role.parent), 'caregiver'") { row in
            [try row.next(Role.self), try row.next(Role.self)]
        }
        #expect(roles == [.parent, .caregiver])
        let stranger = try failure {
            _ = try connection.first("select 'stranger'") { try $0.next(Role.self) }
        }
        #expect(stranger.isDecoding)
    }

    /// A type conformed outside the module.
    struct Timestamp: PostgresValue, Equatable {
        let microsecondsSince2000: Int64
        static var oid: TypeOID { .timestamptz }
        func encode(into encoder: inout ValueEncoder) {
            encoder.append(bigEndian: microsecondsSince2000)
        }
        static func decode(_ bytes: RawSpan, type: TypeOID) throws(ValueError) -> Timestamp {
            Timestamp(microsecondsSince2000: try bytes.bigEndian(Int64.self))
        }
    }

    @Test func conformanceFromOutside() throws {
        try check(
            Timestamp(microsecondsSince2000: 86_400_000_001), shows: "2000-01-02 00:00:00.000001+00"
        )
    }

    @Test func textWithNULIsRefusedByTheServer() throws {
        let error = try failure { try connection.execute("select \("a\0b")") }
        #expect(error.sqlState == "22021")
        #expect(try connection.execute("select 1") == 1)
    }

    @Test func manyParameters() throws {
        let all = (0..<65535).map { "\(Int16($0 % 7))" as SQL }.joined(separator: ",")
        #expect(try connection.execute("select x from (values (array[\(fragment: all)])) v(x)") == 1)
        let tooMany: SQL = "select array[\(fragment: all), \(Int16(1))]"
        let error = try failure { try connection.execute(tooMany) }
        #expect(error.isMisuse)
    }
}
