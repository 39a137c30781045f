public import BabyBasicsAPI
public import JSON
import Postgres

extension Child {
    /// Reads `id, family_id, family name, name, date_of_birth, role, revision, created_at, updated_at`.
    init(_ row: inout Row) throws {
        self.init(
            id: try row.next(), familyId: try row.next(), familyName: try row.next(),
            name: try row.next(), dateOfBirth: try row.next(), role: try row.next(),
            revision: try row.next(), createdAt: try row.next(), updatedAt: try row.next())
    }
}

/// By hand, because everybody asks for children all the time.
extension Child: JSONWritable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("id", id)
            $0.member("family_id", familyId)
            $0.member("family_name", familyName)
            $0.member("name", name)
            $0.member("date_of_birth", dateOfBirth)
            $0.member("role", role.rawValue)
            $0.member("revision", revision)
            $0.member("created_at", createdAt)
            $0.member("updated_at", updatedAt)
        }
    }
}
