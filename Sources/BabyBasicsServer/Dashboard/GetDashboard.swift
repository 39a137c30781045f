import BabyBasicsAPI
import Postgres

/// A child's day and week, as the caller's clocks have them.
func getDashboard(_ context: RequestContext, membership: ChildMembership) async throws
    -> Reply<DashboardReply>
{
    let query = context.query
    let date = try query.all(query.dashboardDate())
    let facts = try await context.database.first(
        DashboardStatement.sql(
            user: membership.caller.userID, child: membership.child.id, date: date,
            now: context.now)
    ) { try DashboardFacts(&$0) }
    // The account can go between authentication and this.
    guard var facts else { throw APIError.invalidToken }
    _ = try await facts.nameAuthors(context.database, among: membership.memberNames)
    let dashboard = Dashboard(facts)
    return Reply(DashboardReply(child: membership.child, dashboard: dashboard, now: context.now))
}

extension QueryParameters {
    /// `date`, in the years in which the database's time zones mean something. The outer nil notes a problem.
    fileprivate func dashboardDate() -> CalendarDate?? {
        optional("date", "must be a date from 1900-01-01 to 2100-12-31, as YYYY-MM-DD") { text in
            CalendarDate(text).flatMap { (1900...2100).contains($0.components.year) ? $0 : nil }
        }
    }
}
