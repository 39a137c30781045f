import BabyBasicsAPI
import Postgres

/// A child's day and week, as the caller's clocks have them.
func getDashboard(_ context: RequestContext) async throws -> Reply<DashboardAnswer> {
    let query = context.query
    let date = Result { try query.all(query.dashboardDate()) }
    let weeks = try await context.ask(DashboardQuery.week) {
        $0.append(try? date.get())
    } _: {
        try DashboardWeek(&$0)
    }
    // Strangers do not learn whether their question was well put.
    _ = try date.get()
    return Reply(DashboardReply(try await context.dashboardFacts(of: weeks[0])))
}

extension QueryParameters {
    /// `date`, in the years in which the database's time zones mean something. The outer nil notes a problem.
    fileprivate func dashboardDate() -> CalendarDate?? {
        optional("date", "must be a date from 1900-01-01 to 2100-12-31, as YYYY-MM-DD") { text in
            CalendarDate(text).flatMap { (1900...2100).contains($0.components.year) ? $0 : nil }
        }
    }
}
