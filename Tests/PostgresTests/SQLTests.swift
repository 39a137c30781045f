import Postgres
import Testing

/// Interpolation is binding: what is sent as text holds no value.
struct SQLTests {
    @Test func valuesBecomeParameters() {
        let sql: SQL = "select \(1), \("two"), \(nil as Bool?)"
        #expect(sql.text == "select $1, $2, $3")
        #expect("\(sql)" == "select $1, $2, $3")
    }

    @Test func fragmentsAreRenumbered() {
        let inner: SQL = "a = \(1) and b = \("x")"
        let middle: SQL = "(\(fragment: inner) or c = \(2))"
        let whole: SQL = "select \(0) where \(fragment: middle) and \(fragment: inner) limit \(9)"
        #expect(
            whole.text == """
                select $1 where (a = $2 and b = $3 or c = $4) and a = $5 and b = $6 limit $7
                """)
    }

    @Test func fragmentsWithNumbersOfSeveralDigits() {
        let list = (0..<120).map { "\($0)" as SQL }.joined(separator: ", ")
        let whole: SQL = "select \(true), array[\(fragment: list)]"
        #expect(whole.text.hasPrefix("select $1, array[$2, $3,"))
        #expect(
            whole.text.hasSuffix(
                "$99, $100, $101, $102, $103, $104, $105, $106, $107, $108, $109, $110, $111, $112, $113, $114, $115, $116, $117, $118, $119, $120, $121]"
            ))
    }

    @Test func fragmentsWithNonASCIIText() {
        let inner: SQL = "'é€😀' || \("x") || 'ü' || \("y")"
        let whole: SQL = "select 'ß', \(fragment: inner), 'ö'"
        #expect(whole.text == "select 'ß', 'é€😀' || $1 || 'ü' || $2, 'ö'")
    }

    @Test func rawTextNeedsItsName() {
        let sql: SQL = "select * from \(unescaped: "users") where id = \(1)"
        #expect(sql.text == "select * from users where id = $1")
    }

    @Test func joiningNothingIsEmpty() {
        #expect([SQL]().joined(separator: ", ").text.isEmpty)
    }
}
