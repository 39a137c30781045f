import BabyBasicsAPI
import GRDB

extension Store {
    static func growthAnswers(of child: ChildID, _ db: Database) throws -> GrowthAnswers {
        let row = try Row.fetchOne(
            db, sql: "select sex, due_date from growth_answer where child_id = ?", arguments: [child.description])
        return GrowthAnswers(
            sex: (row?["sex"] as String?).flatMap { GrowthStandard.Sex(rawValue: $0) },
            dueDate: (row?["due_date"] as String?).flatMap { CalendarDate($0) })
    }

    /// Keeps them beside the child, with which they go, and with the account.
    func keep(_ answers: GrowthAnswers, of child: ChildID) async throws {
        try await write { db, _ in
            try db.execute(
                sql: "insert or replace into growth_answer (child_id, sex, due_date) values (?, ?, ?)",
                arguments: [child.description, answers.sex?.rawValue, answers.dueDate?.description])
        }
    }
}
