public import BabyBasicsAPI
public import Foundation
import GRDB

/// A child's entries that waited when the child or the family went. No server takes them any more.
public struct UnsentEntries: Hashable, Codable, Sendable {
    /// The child.
    public var id: ChildID
    /// Its name, as it was known here.
    public var name: String
    /// Its date of birth, if it was known here.
    public var dateOfBirth: CalendarDate?
    /// The entries as the person meant them. Entries that were to be deleted are not among them.
    public var events: [Event]

    /// One entry.
    public struct Event: Hashable, Codable, Sendable {
        /// Its kind.
        public var type: String
        /// When it starts or occurs.
        public var at: Timestamp
        /// Its fields, with its `id`.
        public var event: Fields
    }

    private enum CodingKeys: String, CodingKey {
        case id, name, events
        case dateOfBirth = "date_of_birth"
    }
}

extension Notice {
    /// What can be saved of it, as a file that the web app's "Import" reads: so a parent can bring in what somebody logged whose
    /// access has ended. Nil if there is nothing.
    public func unsentFile(at now: Timestamp) throws -> Data? {
        switch self {
        case .childGone(let name, _, let unsent?), .familyGone(let name, _, let unsent?):
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return try encoder.encode(File(exportedAt: now, family: ["name": name], children: unsent))
        default: return nil
        }
    }

    private struct File: Encodable {
        let format = "baby-basics"
        let version = 1
        let unsent = true
        let exportedAt: Timestamp
        let family: [String: String]
        let children: [UnsentEntries]

        enum CodingKeys: String, CodingKey {
            case format, version, unsent, family, children
            case exportedAt = "exported_at"
        }
    }
}

extension UnsentEntries {
    /// Of these changes and refused ones, by child. Nil if nothing can be saved.
    static func of(_ waiting: [OutboxRow], _ rejected: [RejectedRow], _ db: Database) throws -> [UnsentEntries]? {
        var meant: [UUID: Event] = [:]
        for row in rejected where row.operation != .delete {
            meant[row.entryID] = Event(row.kind, row.entryID, row.fields, at: row.madeAt)
        }
        for id in Set(waiting.map(\.entryID)) {
            guard let entry = try EntryRow.find(id, db), !entry.isDeleted else { continue }
            meant[id] = Event(entry.kind, id, entry.fields, at: entry.at)
        }
        let byChild = Dictionary(grouping: meant.values) { $0.event["child_id"]?.text ?? "" }
        let all = try byChild.compactMap { child, events -> UnsentEntries? in
            guard let id = ChildID(child) else { return nil }
            let known = try ChildRow.row(id).fetchOne(db)
            return UnsentEntries(
                id: id, name: known?.name ?? "A child", dateOfBirth: known?.dateOfBirth,
                events: events.sorted { $0.at < $1.at })
        }
        return all.isEmpty ? nil : all.sorted { $0.id.description < $1.id.description }
    }
}

extension UnsentEntries.Event {
    fileprivate init(_ kind: String, _ id: UUID, _ fields: Fields, at time: Timestamp) {
        type = kind
        at = StoredEntry.time(of: fields) ?? time
        event = fields
        event["id"] = .text(id.uuidString.lowercased())
    }
}
