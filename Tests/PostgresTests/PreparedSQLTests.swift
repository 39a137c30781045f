import Postgres
import TestSupport
import Testing

/// Statements whose text is made once.
struct TemplateTests {
    private let sum = PreparedSQL(unescaped: "select $1 + $2")

    @Test func valuesComeWithEachUse() throws {
        let fixture = try Fixture()
        for number in 0..<3 {
            let back = try fixture.connection.first(sum.binding(number, 10)) { try $0.next(Int?.self) }
            #expect(back == number + 10)
        }
        #expect(
            try fixture.connection.first(sum.binding(1, nil as Int?)) { try $0.next(Int?.self) }
                == .some(nil))
        #expect(fixture.connection.preparedStatements == 1)
    }

    @Test func valuesComeOneByOneToo() throws {
        let fixture = try Fixture()
        let list = PreparedSQL(
            unescaped: "select \((1...40).map { "$\($0)::text" }.joined(separator: " || "))")
        let sql = list.binding { values in
            for number in 0..<39 { values.append("\(number) ") }
            values.append("end")
        }
        let text = (0..<39).map { "\($0) " }.joined() + "end"
        #expect(try fixture.connection.first(sql) { try $0.next(String.self) } == text)
        let nothing = sum.binding {
            $0.append(nil as Int?)
            $0.append(4)
        }
        #expect(try fixture.connection.first(nothing) { try $0.next(Int?.self) } == .some(nil))
    }

    @Test func oneTextIsOneStatementHoweverItIsMade() throws {
        let fixture = try Fixture()
        let other = PreparedSQL(unescaped: "select $1 + $2")
        for _ in 0..<2 {
            #expect(try fixture.connection.first(sum.binding(1, 2)) { try $0.next(Int.self) } == 3)
            #expect(try fixture.connection.first(other.binding(2, 2)) { try $0.next(Int.self) } == 4)
            #expect(try fixture.connection.first("select \(3) + \(2)") { try $0.next(Int.self) } == 5)
        }
        #expect(fixture.connection.preparedStatements == 1)
    }

    @Test func oneTextWithOtherTypesIsAnotherStatement() throws {
        let fixture = try Fixture()
        for _ in 0..<2 {
            #expect(try fixture.connection.first(sum.binding(1, 2)) { try $0.next(Int.self) } == 3)
            #expect(
                try fixture.connection.first(sum.binding(1.5, 2.5)) { try $0.next(Double.self) } == 4)
        }
        #expect(fixture.connection.preparedStatements == 2)
    }
}
