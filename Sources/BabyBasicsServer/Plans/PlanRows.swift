import BabyBasicsAPI
import Postgres

extension Plan {
    /// Of a plan `p`, as `init` reads them.
    static let columns = """
        p.id, p.child_id, p.name, p.dose, p.every_hours, p.times, p.max_per_day, p.starts_on, p.ends_on, p.notes,
        p.revision, p.created_at, p.updated_at
        """

    init(_ row: inout Row) throws {
        self.init(
            id: try row.next(), childId: try row.next(), name: try row.next(), dose: try row.next(),
            everyHours: try row.next(Int16?.self).map { Int($0) }, times: try row.next([String].self).orNothing,
            maxPerDay: try row.next(Int16?.self).map { Int($0) }, startsOn: try row.next(), endsOn: try row.next(),
            notes: try row.next(), revision: try row.next(), createdAt: try row.next(), updatedAt: try row.next())
    }
}

extension Array {
    /// Nil where it is empty.
    var orNothing: Self? { isEmpty ? nil : self }
}

/// A plan, be it deleted.
struct StoredPlan {
    let plan: Plan
    let createdBy: UserID?
    let deletedAt: Timestamp?
}

extension Database {
    /// The family's plan with an identifier, be it deleted, or another child's.
    func plan(_ id: PlanID, of family: FamilyID) async throws -> StoredPlan? {
        try await first(
            """
            select \(unescaped: Plan.columns), p.created_by, p.deleted_at from plans p
            where p.family_id = \(family) and p.id = \(id)
            """
        ) { StoredPlan(plan: try Plan(&$0), createdBy: try $0.next(), deletedAt: try $0.next()) }
    }
}

extension RequestContext {
    /// The plan of the child that the path names.
    /// - Throws: `APIError` 404.
    func plan(of membership: ChildMembership, deletedToo: Bool = false) async throws -> StoredPlan {
        let stored = try await database.plan(identifier(1), of: membership.familyID)
        guard let stored, stored.plan.childId == membership.child.id, deletedToo || stored.deletedAt == nil
        else { throw APIError.notFound }
        return stored
    }
}

extension AuditChanges {
    /// What of a plan has changed; nil stands for none.
    init(of plan: Plan?, insteadOf before: Plan?) {
        self = .none
        note("name", from: before?.name, to: plan?.name)
        note("dose", from: before?.dose, to: plan?.dose)
        note("every_hours", from: before?.everyHours, to: plan?.everyHours)
        note("times", from: before?.times, to: plan?.times)
        note("max_per_day", from: before?.maxPerDay, to: plan?.maxPerDay)
        note("starts_on", from: before?.startsOn, to: plan?.startsOn)
        note("ends_on", from: before?.endsOn, to: plan?.endsOn)
        note("notes", from: before?.notes, to: plan?.notes)
    }
}
