import BabyBasicsAPI
import Foundation

/// An event as the server has it, of any kind, with `child_id` among its fields: a move is a change like any other.
struct ServerEvent: Hashable, Sendable {
    var id: UUID
    /// The reader sets it: on the wire it stands beside the event.
    var kind = ""
    var fields: Fields
    var author: Author
    /// The author of its last change; nil if unchanged.
    var editor: Author?
    var createdAt: Timestamp
    var updatedAt: Timestamp
    var revision: Int64
}

extension ServerEvent: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case id, revision
        case author = "created_by"
        case editor = "updated_by"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }

    /// With a decoder that leaves names as they are.
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        id = try members.decode(UUID.self, forKey: .id)
        // A plan is nobody's.
        author = try members.decodeIfPresent(Person.self, forKey: .author)?.author ?? Author(userId: nil, name: "")
        editor = try members.decodeIfPresent(Person.self, forKey: .editor)?.author
        createdAt = try members.decode(Timestamp.self, forKey: .createdAt)
        updatedAt = try members.decode(Timestamp.self, forKey: .updatedAt)
        revision = try members.decode(Int64.self, forKey: .revision)
        fields = try decoder.singleValueContainer().decode([String: Readable].self).compactMapValues(\.value)
        for key in CodingKeys.allCases { fields[key.rawValue] = nil }
    }

    func encode(to encoder: any Encoder) throws {
        try fields.encode(to: encoder)
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(id, forKey: .id)
        try members.encode(Person(author), forKey: .author)
        try members.encodeIfPresent(editor.map { Person($0) }, forKey: .editor)
        try members.encode(createdAt, forKey: .createdAt)
        try members.encode(updatedAt, forKey: .updatedAt)
        try members.encode(revision, forKey: .revision)
    }

    private struct Person: Codable {
        var id: UserID?
        var name: String

        enum CodingKeys: String, CodingKey {
            case name
            case id = "user_id"
        }

        init(_ author: Author) { (id, name) = (author.userId, author.name) }

        var author: Author { Author(userId: id, name: name) }
    }

    /// A member of the event; nil for null, objects and lists of anything but texts.
    private struct Readable: Decodable {
        let value: EntryValue?

        init(from decoder: any Decoder) throws { value = try? EntryValue(from: decoder) }
    }
}

/// Answers that hold events.
enum ServerAnswer {
    /// `{"feeding":{…}}`.
    struct One: Decodable, Sendable {
        var event: ServerEvent

        init(from decoder: any Decoder) throws {
            let answer = try decoder.singleValueContainer().decode([String: Member].self)
            guard let (kind, event) = answer.lazy.compactMap({ key, value in value.event.map { (key, $0) } }).first
            else { throw UnreadableColumn(name: "event") }
            self.event = event
            self.event.kind = kind
        }

        /// Nil for other members, such as warnings.
        private struct Member: Decodable {
            let event: ServerEvent?

            init(from decoder: any Decoder) throws { event = try? ServerEvent(from: decoder) }
        }
    }

    /// `{"events":[{"type":"feeding","event":{…}}]}`: a batch's answer, or a page of the timeline.
    struct Many: Decodable, Sendable {
        var events: [Item]

        struct Item: Decodable, Sendable {
            /// Nil if the event was deleted.
            var event: ServerEvent?

            private enum CodingKeys: CodingKey { case type, event }

            init(from decoder: any Decoder) throws {
                let members = try decoder.container(keyedBy: CodingKeys.self)
                event = try members.decodeIfPresent(ServerEvent.self, forKey: .event)
                event?.kind = try members.decode(String.self, forKey: .type)
            }
        }
    }

    /// A page of a family's feed.
    struct Feed: Decodable, Sendable {
        var changes: [FeedChange]
        var nextSince: Int64
        var hasMore: Bool

        private enum CodingKeys: String, CodingKey {
            case changes
            case nextSince = "next_since"
            case hasMore = "has_more"
        }
    }

    /// The account's families.
    struct Families: Decodable, Sendable {
        var families: [ServerFamily]
    }

    /// The family that was joined.
    struct Joined: Decodable, Sendable {
        var family: Family

        struct Family: Decodable, Sendable {
            var id: FamilyID
            var name: String
            var role: MemberRole
        }
    }

    /// An answer of which nothing is wanted.
    struct Ignored: Decodable, Sendable {}
}
