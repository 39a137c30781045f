import BabyBasicsAPI
import Postgres

/// Plans a medicine for a child.
func createPlan(_ context: RequestContext, membership: ChildMembership) async throws -> Reply<PlanAnswer> {
    let (database, child, caller) = (context.database, membership.child, membership.caller.userID)
    let fields = try context.fields()
    let clientID = fields.optional("id", .identifier() as Rule<PlanID>)
    var isTaken = false
    if case .some(.some(let id)) = clientID, let stored = try await database.plan(id, of: child.familyId) {
        if stored.plan.childId == child.id {
            if stored.deletedAt != nil { throw APIError(.gone, "This plan was deleted") }
            if stored.createdBy == caller {
                return Reply(PlanAnswer(plan: stored.plan), status: 200, revision: stored.plan.revision)
            }
        }
        isTaken = true
    }
    let (id, values) = try fields.all(clientID, fields.planValues(now: context.now))
    if isTaken { throw APIError.identifierTaken }
    guard try await context.plansCount(of: child) < Ceiling.plansOfChild else { throw APIError.tooManyPlans }
    let plan = Plan(
        id: try id ?? context.newIdentifier(), childId: child.id, values,
        revision: try database.takeRevisions(of: child.familyId), createdAt: context.now, updatedAt: context.now)
    try database.enqueue(
        """
        insert into plans (family_id, id, child_id, name, dose, every_hours, times, max_per_day, starts_on, ends_on,
            notes, created_by, created_at, updated_at, revision)
        values (\(child.familyId), \(plan.id), \(child.id), \(plan.name), \(plan.dose),
            \(plan.everyHours.map { Int16($0) }), \(plan.times ?? []), \(plan.maxPerDay.map { Int16($0) }),
            \(plan.startsOn), \(plan.endsOn), \(plan.notes), \(caller), \(context.now), \(context.now), \(plan.revision))
        """)
    try await context.audit(
        .create, .plan, plan.id.uuid, by: caller, family: child.familyId,
        changes: AuditChanges(of: plan, insteadOf: nil))
    return Reply(PlanAnswer(plan: plan), revision: plan.revision)
}

extension Plan {
    init(
        id: PlanID, childId: ChildID, _ values: PlanValues, revision: Int64, createdAt: Timestamp, updatedAt: Timestamp
    ) {
        self.init(
            id: id, childId: childId, name: values.name, dose: values.dose, everyHours: values.everyHours,
            times: values.times, maxPerDay: values.maxPerDay, startsOn: values.startsOn, endsOn: values.endsOn,
            notes: values.notes, revision: revision, createdAt: createdAt, updatedAt: updatedAt)
    }
}

extension RequestContext {
    /// How many plans of a child are not deleted.
    func plansCount(of child: Child) async throws -> Int {
        let count = try await database.first(
            """
            select count(*) from plans
            where family_id = \(child.familyId) and child_id = \(child.id) and deleted_at is null
            """
        ) { try $0.next(Int64.self) }
        return Int(count ?? 0)
    }
}
