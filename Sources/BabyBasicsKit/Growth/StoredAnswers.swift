import BabyBasicsAPI
import GRDB

extension AccountStore {
    static func growthAnswers(of child: ChildID, _ db: Database) throws -> GrowthAnswers {
        let row = try GrowthAnswerRow.row(child).fetchOne(db)
        return GrowthAnswers(sex: row?.sex, dueDate: row?.dueDate, lastVisit: row?.lastVisit)
    }

    /// Keeps them beside the child, with which they go, and with the account.
    func keep(_ answers: GrowthAnswers, of child: ChildID) async throws {
        try await write { db, _ in
            try GrowthAnswerRow(
                childID: child, sex: answers.sex, dueDate: answers.dueDate, lastVisit: answers.lastVisit
            ).upsert(db)
        }
    }
}
