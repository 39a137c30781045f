import BabyBasicsAPI
import JSON
import Postgres

/// What the caller wants to be told of in the family.
func getNotifications(
    _ context: RequestContext, membership: FamilyMembership
) async throws -> Reply<NotificationSettingsAnswer> {
    let stored = try await context.database.first(
        """
        select kinds, members, access_ends from notification_settings
        where family_id = \(membership.family.id) and user_id = \(membership.caller.userID)
        """
    ) { try NotificationSettings(&$0) }
    return Reply(NotificationSettingsAnswer(notifications: stored ?? .unless(said: membership.role)))
}

/// Replaces what the caller wants to be told of in the family.
func replaceNotifications(
    _ context: RequestContext, membership: FamilyMembership
) async throws -> Reply<NotificationSettingsAnswer> {
    let fields = try context.fields()
    let (kinds, members, accessEnds) = try fields.all(
        fields.required("kinds", .kinds), fields.required("members", .flag), fields.required("access_ends", .flag))
    let (database, family) = (context.database, membership.family.id)
    try database.enqueue(
        """
        insert into notification_settings (family_id, user_id, kinds, members, access_ends)
        values (\(family), \(membership.caller.userID), \(kinds), \(members), \(accessEnds))
        on conflict (family_id, user_id) do update
        set kinds = excluded.kinds, members = excluded.members, access_ends = excluded.access_ends
        """)
    if !kinds.isEmpty { try database.watch(family) }
    let settings = NotificationSettings(kinds: kinds.map(\.kindName), members: members, accessEnds: accessEnds)
    return Reply(NotificationSettingsAnswer(notifications: settings))
}

extension NotificationSettings {
    /// Of whoever has said nothing: parents hear of members, and nobody of what is logged. `ToldMembers` says the same in SQL.
    static func unless(said role: Role) -> NotificationSettings {
        NotificationSettings(kinds: [], members: role == .parent, accessEnds: role == .parent)
    }

    fileprivate init(_ row: inout Row) throws {
        self.init(
            kinds: try row.next([Int16].self).filter { $0 < EventKind.all.count }.map(\.kindName),
            members: try row.next(), accessEnds: try row.next())
    }
}

extension Int16 {
    /// Of a kind's number.
    var kindName: String { EventKind.all[Int(self)].name }
}

extension Rule where Value == [Int16] {
    /// The numbers of kinds that are named, each once.
    static let kinds = Rule { (value) throws(Problem) in
        guard let elements = value.elements else { throw Problem("must be an array", .type) }
        var numbers: Set<Int16> = []
        for element in elements {
            guard let name = element.string else { throw Problem("must be an array of strings", .type) }
            guard let kind = EventKind.all.first(where: { $0.name == name }) else {
                throw Problem("must be of \(EventKind.all.map(\.name).joined(separator: ", "))", .notListed)
            }
            numbers.insert(Int16(kind.number))
        }
        return numbers.sorted()
    }
}

extension Database {
    /// Has each change of the family's events looked at from now on, in the transaction that has locked it.
    func watch(_ family: FamilyID) throws {
        try enqueue("update feeds set is_watched = true where family_id = \(family) and not is_watched")
    }
}
