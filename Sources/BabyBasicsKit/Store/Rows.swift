public import BabyBasicsAPI
import Foundation
import GRDB

/// A family as this device knows it.
public struct StoredFamily: Hashable, Sendable, Identifiable {
    /// The family's id.
    public var id: FamilyID
    /// Its name.
    public var name: String
    /// How it shares.
    public var sharingPolicy: SharingPolicy
    /// Who owns it.
    public var ownerID: UserID?
    /// This account's role in it, a word of the contract.
    public var role: MemberRole
    /// When it was made: the oldest is the one to fall back on.
    public var createdAt: Timestamp
    /// Whether all of it was read once.
    public var isComplete: Bool

    /// A family as a value, for previews and tests of views.
    public init(
        id: FamilyID, name: String, sharingPolicy: SharingPolicy = .standard,
        ownerID: UserID? = nil, role: MemberRole, createdAt: Timestamp, isComplete: Bool = true
    ) {
        self.id = id
        self.name = name
        self.sharingPolicy = sharingPolicy
        self.ownerID = ownerID
        self.role = role
        self.createdAt = createdAt
        self.isComplete = isComplete
    }

    init(row: Row) throws {
        id = try row.identifier("id")
        name = row["name"]
        sharingPolicy = SharingPolicy(rawValue: row["sharing_policy"]) ?? .standard
        ownerID = (row["owner_id"] as String?).flatMap { UserID($0) }
        role = MemberRole(rawValue: row["role"])
        createdAt = Timestamp(milliseconds: row["created_at"])
        isComplete = row["is_complete"]
    }
}

/// What a member may do. Open, so that a role of a later server reads as one that changes nothing.
public struct MemberRole: RawRepresentable, Hashable, Sendable {
    /// The word of the contract.
    public let rawValue: String

    /// A role by its word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Manages the family.
    public static let parent = MemberRole(rawValue: "parent")
    /// Logs and edits.
    public static let caregiver = MemberRole(rawValue: "caregiver")
    /// Looks on.
    public static let viewer = MemberRole(rawValue: "viewer")

    /// Whether entries can be logged, edited and deleted.
    public var canLog: Bool { self == .parent || self == .caregiver }
}

/// Somebody who belongs to a family.
public struct StoredMember: Hashable, Sendable, Identifiable {
    /// The account.
    public var id: UserID
    /// The family it is about.
    public var familyID: FamilyID
    /// The person's name.
    public var name: String
    /// The account's email.
    public var email: String
    /// What the person may do.
    public var role: MemberRole
    /// Whether the family is this member's.
    public var isOwner: Bool
    /// When the membership ends by itself; nil for never.
    public var accessUntil: Timestamp?
    /// Since when.
    public var joinedAt: Timestamp

    /// A member as a value, for previews and tests of views.
    public init(
        id: UserID, familyID: FamilyID, name: String, email: String, role: MemberRole,
        isOwner: Bool, accessUntil: Timestamp? = nil, joinedAt: Timestamp
    ) {
        self.id = id
        self.familyID = familyID
        self.name = name
        self.email = email
        self.role = role
        self.isOwner = isOwner
        self.accessUntil = accessUntil
        self.joinedAt = joinedAt
    }

    init(row: Row) throws {
        id = try row.identifier("user_id")
        familyID = try row.identifier("family_id")
        name = row["name"]
        email = row["email"]
        role = MemberRole(rawValue: row["role"])
        isOwner = row["is_owner"]
        accessUntil = (row["access_until"] as Int64?).map { Timestamp(milliseconds: $0) }
        joinedAt = Timestamp(milliseconds: row["joined_at"])
    }
}

/// A child as this device knows it.
public struct StoredChild: Hashable, Sendable, Identifiable {
    /// The child's id.
    public var id: ChildID
    /// The family it belongs to.
    public var familyID: FamilyID
    /// Its name.
    public var name: String
    /// Its date of birth, or the day it is due.
    public var dateOfBirth: CalendarDate

    /// A child as a value, for previews and tests of views.
    public init(id: ChildID, familyID: FamilyID, name: String, dateOfBirth: CalendarDate) {
        self.id = id
        self.familyID = familyID
        self.name = name
        self.dateOfBirth = dateOfBirth
    }

    /// Nil for one that only its entries tell of so far.
    init?(row: Row) throws {
        guard let name = row["name"] as String?,
            let born = (row["date_of_birth"] as String?).flatMap({ CalendarDate($0) })
        else { return nil }
        id = try row.identifier("id")
        familyID = try row.identifier("family_id")
        self.name = name
        dateOfBirth = born
    }
}

/// The account's own settings.
public struct Profile: Codable, Hashable, Sendable {
    /// The account.
    public var id: UserID
    /// Where it signs in.
    public var email: String
    /// The person's name.
    public var name: String
    /// An IANA name: where the person's days are.
    public var timezone: String
    /// `HH:MM`: when they begin.
    public var dayStartTime: String

    /// A profile as a value.
    public init(id: UserID, email: String, name: String, timezone: String, dayStartTime: String) {
        self.id = id
        self.email = email
        self.name = name
        self.timezone = timezone
        self.dayStartTime = dayStartTime
    }

    /// The first word of the name, as a person is greeted.
    public var firstName: String {
        name.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? name
    }
}

extension Entry {
    init(row: Row) throws {
        let fields = try StoredJSON.value(Fields.self, row["fields"])
        self.init(
            id: (try row.identifier("id") as Identifier<AnyEvent>).uuid, kind: row["kind"],
            childID: try row.identifier("child_id"),
            fields: fields.filter { $0.key != "child_id" },
            author: Author(
                userId: (row["author_id"] as String?).flatMap { UserID($0) },
                name: row["author_name"]),
            createdAt: Timestamp(milliseconds: row["created_at"]),
            updatedAt: Timestamp(milliseconds: row["updated_at"]), revision: row["revision"],
            isWaiting: row["is_waiting"])
    }

    /// The columns that `init(row:)` reads.
    static let columns = """
        entry.*, exists (select 1 from outbox where outbox.entry_id = entry.id) as is_waiting
        """
}

/// A column that holds something else than what is written there: the file was changed by another program.
struct UnreadableColumn: Error {
    let name: String
}

extension Row {
    func identifier<Entity>(_ column: String) throws -> Identifier<Entity> {
        guard let id = Identifier<Entity>(self[column] as String) else {
            throw UnreadableColumn(name: column)
        }
        return id
    }
}

extension UUID {
    /// Lower case, as everywhere.
    var text: String { uuidString.lowercased() }
}
