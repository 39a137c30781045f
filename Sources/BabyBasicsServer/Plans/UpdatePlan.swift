import BabyBasicsAPI
import Postgres

/// Changes what the body names of a plan: a merge patch (RFC 7396).
func updatePlan(_ context: RequestContext, membership: ChildMembership) async throws -> Reply<PlanAnswer> {
    let before = try await context.plan(of: membership).plan
    let fields = try context.fields()
    let (values, ifMatch) = try fields.all(
        fields.planValues(onto: before, now: context.now), context.ifMatch(beside: fields))
    try ifMatch.require(before.revision)
    let changed = Plan(
        id: before.id, childId: before.childId, values, revision: before.revision, createdAt: before.createdAt,
        updatedAt: before.updatedAt)
    guard changed != before else { return Reply(PlanAnswer(plan: before), revision: before.revision) }
    let plan = try await context.keep(
        changed, deletedAt: nil, .update, AuditChanges(of: changed, insteadOf: before), membership)
    return Reply(PlanAnswer(plan: plan), revision: plan.revision)
}

/// Takes a plan away, for 30 days to be restored. What was given of it stays.
func deletePlan(_ context: RequestContext, membership: ChildMembership) async throws -> Reply<Empty> {
    let plan = try await context.plan(of: membership).plan
    try context.ifMatch().require(plan.revision)
    _ = try await context.keep(
        plan, deletedAt: context.now, .delete, AuditChanges(of: nil, insteadOf: plan), membership)
    return .nothing
}

/// Brings back a plan that was deleted in the last 30 days. One that is not deleted stays as it is.
func restorePlan(_ context: RequestContext, membership: ChildMembership) async throws -> Reply<PlanAnswer> {
    let stored = try await context.plan(of: membership, deletedToo: true)
    if let deletedAt = stored.deletedAt, context.now.since(deletedAt) > .seconds(30 * 86_400) {
        throw APIError.notFound
    }
    try context.ifMatch().require(stored.plan.revision)
    guard stored.deletedAt != nil else {
        return Reply(PlanAnswer(plan: stored.plan), revision: stored.plan.revision)
    }
    guard try await context.plansCount(of: membership.child) < Ceiling.plansOfChild else {
        throw APIError.tooManyPlans
    }
    var changes = AuditChanges.none
    changes.note("deleted_at", from: stored.deletedAt, to: nil)
    let plan = try await context.keep(stored.plan, deletedAt: nil, .update, changes, membership)
    return Reply(PlanAnswer(plan: plan), revision: plan.revision)
}

extension RequestContext {
    /// Writes a changed plan of a family that this transaction has locked, under the family's next number.
    fileprivate func keep(
        _ plan: Plan, deletedAt: Timestamp?, _ action: AuditedAction, _ changes: AuditChanges,
        _ membership: ChildMembership
    ) async throws -> Plan {
        let family = membership.familyID
        var plan = plan
        plan.updatedAt = now
        plan.revision = try database.takeRevisions(of: family)
        try database.enqueue(
            """
            update plans set name = \(plan.name), dose = \(plan.dose), every_hours = \(plan.everyHours.map { Int16($0) }),
                times = \(plan.times ?? []), max_per_day = \(plan.maxPerDay.map { Int16($0) }),
                starts_on = \(plan.startsOn), ends_on = \(plan.endsOn), notes = \(plan.notes), updated_at = \(now),
                deleted_at = \(deletedAt), revision = \(plan.revision)
            where family_id = \(family) and id = \(plan.id)
            """)
        try lookAgain(at: "family_id = \(family) and plan_id = \(plan.id)")
        try await audit(
            action, .plan, plan.id.uuid, by: membership.caller.userID, family: family, changes: changes)
        return plan
    }
}
