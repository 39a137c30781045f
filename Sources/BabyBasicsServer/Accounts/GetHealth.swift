import BabyBasicsAPI
import EventLoop
import Postgres

/// Whether the server can do its work: it cannot without its database.
func getHealth(_ context: RequestContext) async -> Reply<Health> {
    func health(_ status: String) -> Health {
        Health(status: status, service: "baby-basics", version: Server.version)
    }
    if await context.services.health.databaseAnswers() { return Reply(health("ok")) }
    context.headers.append(("Retry-After", "1"))
    return Reply(health("unavailable"), status: 503)
}

/// Asks the database whether it answers, once a second at most: anybody may ask for the health, as often as they like.
final class HealthCheck: Sendable {
    private let pool: Pool
    private let last: LoopBound<(answers: Bool, at: UInt64)?>

    init(_ pool: Pool) {
        self.pool = pool
        last = LoopBound(nil, on: pool.loop)
    }

    func databaseAnswers() async -> Bool {
        if let last = last.value, Monotonic.now - last.at < 1_000_000_000 { return last.answers }
        // Until this answer is here, the last one serves those who ask meanwhile.
        let before = last.value?.answers
        if let before { last.value = (before, Monotonic.now) }
        let answers = await ask()
        last.value = (answers, Monotonic.now)
        return answers
    }

    /// Asks now.
    func ask() async -> Bool {
        var use = DatabaseUse()
        let rows = try? await pool.read("select true", adding: &use) { try $0.next(Bool.self) }
        return rows?.first ?? false
    }
}

extension Services {
    /// Whether the database answers now.
    public func databaseAnswers() async -> Bool { await health.ask() }
}

extension Server {
    /// Of this release, by semantic versioning.
    public static let version = "1.0.0"
}
