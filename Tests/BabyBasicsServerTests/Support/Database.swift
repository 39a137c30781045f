import Postgres
import TestSupport

extension TestDatabase {
    /// The first column of each row, as text, read by the owner.
    func texts(_ sql: SQL) throws -> [String] {
        try asOwner { try $0.rows(sql) { try $0.next(String.self) } }
    }

    func count(_ table: String) throws -> Int {
        try asOwner {
            try $0.first("select count(*) from \(unescaped: table)") {
                Int(try $0.next(Int64.self))
            } ?? -1
        }
    }

    /// Whether the server's role is allowed a statement. Anything but a refusal for lack of privilege is an error.
    func serverRoleMay(_ statement: String) throws -> Bool {
        do {
            _ = try asServer { try $0.execute(SQL(stringLiteral: statement)) }
            return true
        } catch let error as PostgresError where error.sqlState == .insufficientPrivilege {
            return false
        }
    }
}
