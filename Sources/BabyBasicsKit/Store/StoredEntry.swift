public import BabyBasicsAPI
public import Foundation

/// An entry of any kind as this device shows it: with its pending changes.
public struct StoredEntry: Hashable, Sendable, Identifiable {
    /// Made on the device that logged it.
    public let id: UUID
    /// The kind's name on the wire: `feeding`.
    public let kind: String
    /// Whom it was logged for.
    public var childID: ChildID
    /// Everything else that can be changed, `notes` included.
    public var fields: Fields
    /// Its author.
    public var author: Author
    /// When it was logged.
    public var createdAt: Timestamp
    /// When it was last changed, here or elsewhere.
    public var updatedAt: Timestamp
    /// Who changed it last, as far as this device knows; nil for nobody.
    public var editorID: UserID?
    /// The server's number of its last change; 0 until the server has it.
    public var revision: Int64
    /// Whether something of it is waiting to be sent.
    public var isWaiting: Bool

    /// An entry as a value, for previews and tests of views; the store makes the real ones.
    public init(
        id: UUID, kind: String, childID: ChildID, fields: Fields, author: Author,
        createdAt: Timestamp, updatedAt: Timestamp, editorID: UserID? = nil, revision: Int64 = 0,
        isWaiting: Bool = false
    ) {
        self.id = id
        self.kind = kind
        self.childID = childID
        self.fields = fields
        self.author = author
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.editorID = editorID
        self.revision = revision
        self.isWaiting = isWaiting
    }
}

extension StoredEntry {
    /// When it began or happened: where it stands on the timeline.
    public var at: Timestamp {
        Self.time(of: fields) ?? createdAt
    }

    /// When it ended; nil while it goes on, and for what happens in a moment.
    public var endedAt: Timestamp? { fields["ended_at"]?.time }

    /// `type`, where the kind has one: `bottle`.
    public var type: String? { fields["type"]?.text }

    /// The person's notes.
    public var notes: String? { fields["notes"]?.text }

    /// Whether it goes on until an end is entered. Pumping with an amount is over.
    public var isRunning: Bool {
        guard endedAt == nil else { return false }
        return switch kind {
        case "feeding": type == "breast"
        case "pumping": fields["amount_ml"] == nil
        case "sleep", "activity": true
        default: false
        }
    }

    /// Whether this version knows its kind and type: a later server may have others.
    public var isUnderstood: Bool { EventKind.named(kind)?.knowsType(of: fields) ?? (kind == PlanKind.name) }

    /// The details of a kind as the API's type; nil for an entry of another kind, or with words that this version does
    /// not know.
    public func details<Details: EventDetails>(as type: Details.Type) -> Details? {
        guard kind == Details.kind.name, let json = try? StoredJSON.text(fields) else {
            return nil
        }
        return try? JSONDecoder.contract.decode(Details.self, from: Data(json.utf8))
    }

    static func time(of fields: Fields) -> Timestamp? {
        (fields["started_at"] ?? fields["occurred_at"])?.time
    }
}

extension Fields {
    /// The fields that the details of an event stand for.
    public init(_ details: some EventDetails, notes: String? = nil) throws {
        let bytes = try JSONEncoder.contract.encode(details)
        self = try JSONDecoder().decode([String: EntryValue?].self, from: bytes)
            .compactMapValues { $0 }
        if let notes = notes?.trimmingCharacters(in: .whitespacesAndNewlines), !notes.isEmpty {
            self["notes"] = .text(notes)
        }
    }
}
