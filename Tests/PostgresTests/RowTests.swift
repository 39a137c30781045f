import Foundation
import Postgres
import TestSupport
import Testing

/// A column that is not what the code reads it as is an error that names it, never a trap.
struct RowTests {
    let fixture: Fixture
    var connection: TestConnection { fixture.connection }

    init() throws { fixture = try Fixture() }

    private func decodingFailure<Value: PostgresValue>(
        _ sql: SQL, _ type: Value.Type, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let error = try failure(sourceLocation: sourceLocation) {
            _ = try connection.first(sql) { try $0.next(Value.self) }
        }
        #expect(error.isDecoding, sourceLocation: sourceLocation)
        #expect(error.description.contains("column bad"), sourceLocation: sourceLocation)
        #expect(!error.description.contains("secret"), sourceLocation: sourceLocation)
    }

    @Test func wrongTypes() throws {
        try decodingFailure("select \("secret") as bad", Int.self)
        try decodingFailure("select 1 as bad", String.self)
        try decodingFailure("select 1::int8 as bad", Int32.self)
        try decodingFailure("select 1::int4 as bad", Int16.self)
        try decodingFailure("select 1.5 as bad", Double.self)
        try decodingFailure("select \("secret") as bad", UUID.self)
        try decodingFailure("select \("secret") as bad", [UInt8].self)
        try decodingFailure("select \("secret") as bad", Bool.self)
        try decodingFailure("select null::text as bad", String.self)
        try decodingFailure("select null::int as bad", String.self)
        try decodingFailure("select array[\("secret")] as bad", [Int].self)
        try decodingFailure("select array[\("secret"), null] as bad", [String].self)
        try decodingFailure("select array[[\("secret")]] as bad", [String].self)
        try decodingFailure("select now() as bad", Int64.self)
    }

    @Test func optionalOfAnotherTypeIsAnErrorEvenForNULL() throws {
        let error = try failure {
            _ = try connection.first("select null::int as bad") { try $0.next(String?.self) }
        }
        #expect(error.isDecoding)
    }

    @Test func pastTheLastColumn() throws {
        let error = try failure {
            _ = try connection.first("select 1 as a") { row in
                _ = try row.next(Int.self)
                _ = try row.next(Int.self)
            }
        }
        #expect(error.isDecoding)
        let skipped = try failure {
            _ = try connection.first("select 1, 2") { row in
                row.skip(.max)
                _ = try row.next(Int.self)
            }
        }
        #expect(skipped.isDecoding)
    }

    @Test func skipPassesOverColumns() throws {
        let last = try connection.first("select 'a', 2, 'c', 4") { row in
            row.skip(2)
            row.skip()
            return try row.next(Int.self)
        }
        #expect(last == 4)
    }

    @Test func rowsComeInOrderAndTheirCountIsKnown() throws {
        let numbers = try connection.rows("select x from generate_series(1, 1000) x") {
            try $0.next(Int.self)
        }
        #expect(numbers == Array(1...1000))
        #expect(try connection.rows("select 1 where false") { try $0.next(Int.self) } == [])
        #expect(try connection.first("select 1 where false") { try $0.next(Int.self) } == nil)
        #expect(try connection.execute("select x from generate_series(1, 17) x") == 17)
    }

    @Test func statementsThatChangeRowsCountThem() throws {
        #expect(try connection.execute("create table t (a int)") == 0)
        #expect(try connection.execute("insert into t select generate_series(1, 5)") == 5)
        #expect(try connection.execute("update t set a = a + 1 where a > 2") == 3)
        #expect(try connection.execute("delete from t") == 5)
        #expect(try connection.rows("create table u (a int)") { try $0.next(Int.self) } == [])
    }

    @Test func anErrorInTheClosurePassesThrough() throws {
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            _ = try connection.rows("select 1") { _ in throw Stop() }
        }
        #expect(try connection.execute("select 1") == 1)
    }
}
