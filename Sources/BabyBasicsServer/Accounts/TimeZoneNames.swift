import BabyBasicsAPI
import Postgres
import Synchronization

/// The time zones that exist. The database computes the days, so its list decides; it is read once, when it is first needed.
final class TimeZoneNames: Sendable {
    private let names = Mutex<Set<String>>([])

    func contains(_ name: String, _ database: Database) async throws -> Bool {
        let known = names.withLock { $0 }
        if !known.isEmpty { return known.contains(name) }
        let read = try await database.rows(
            """
            select name from pg_timezone_names
            where name !~ '^(posix|right)/' and name not in ('posixrules', 'localtime', 'Factory')
            """
        ) { try $0.next(String.self) }
        names.withLock { $0 = Set(read) }
        return read.contains(name)
    }
}

extension RequestContext {
    /// Notes a problem for the name of a zone that does not exist.
    func timeZone(_ parsed: String??, _ fields: Fields) async throws -> String?? {
        guard case .some(.some(let name)) = parsed else { return parsed }
        guard try await services.timeZones.contains(name, database) else {
            return fields.problem(
                "timezone", "must be an IANA time zone such as America/New_York", .unknown)
        }
        return parsed
    }
}
