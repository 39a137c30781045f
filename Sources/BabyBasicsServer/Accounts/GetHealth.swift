public import BabyBasicsAPI
public import JSON
import Postgres

/// Whether the server can do its work: it cannot without its database.
func getHealth(_ context: RequestContext) async throws -> Reply<Health> {
    func health(_ status: String) -> Health {
        Health(status: status, service: "baby-basics", version: Server.version)
    }
    do {
        _ = try await context.database.first("select 1::int4") { try $0.next(Int32.self) }
        return Reply(health("ok"))
    } catch is PostgresError {
        context.headers.append(("Retry-After", "1"))
        return Reply(health("unavailable"), status: 503)
    }
}

extension Services {
    /// Whether the database answers now.
    public func databaseAnswers() -> Bool {
        do {
            return try pool.withSession { session in
                try session.first("select true") { try $0.next(Bool.self) } ?? false
            }
        } catch {
            return false
        }
    }
}

extension Server {
    /// Of this release, by semantic versioning.
    public static let version = "1.0.0"
}

extension Health: JSONWritable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("status", status)
            $0.member("service", service)
            $0.member("version", version)
        }
    }
}
