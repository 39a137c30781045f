import BabyBasicsAPI
import Postgres

/// A child's plans in the order in which they were made, those that are over too.
func listPlans(_ context: RequestContext, membership: ChildMembership) async throws -> Reply<PlanList> {
    let plans = try await context.database.rows(
        """
        select \(unescaped: Plan.columns) from plans p
        where p.family_id = \(membership.familyID) and p.child_id = \(membership.child.id) and p.deleted_at is null
        order by p.created_at, p.id
        """
    ) { try Plan(&$0) }
    return Reply(PlanList(plans: plans))
}

func getPlan(_ context: RequestContext, membership: ChildMembership) async throws -> Reply<PlanAnswer> {
    let plan = try await context.plan(of: membership).plan
    return Reply(PlanAnswer(plan: plan), revision: plan.revision)
}
