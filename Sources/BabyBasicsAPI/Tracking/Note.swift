/// Anything else that is worth remembering.
public typealias Note = Event<NoteDetails>
public typealias NoteID = Identifier<Note>

public struct NoteDetails: EventDetails {
    /// 1 to 5000 characters after trimming.
    public var content: String
    public var occurredAt: Timestamp
    /// Whether it is marked for the next visit.
    public var forDoctor: Bool

    public init(content: String, occurredAt: Timestamp, forDoctor: Bool = false) {
        self.content = content
        self.occurredAt = occurredAt
        self.forDoctor = forDoctor
    }

    public static let kind = EventKind(
        3, name: "note", plural: "notes", time: "occurred_at",
        fields: [
            EventField("content", .text(max: 5000), required: true),
            EventField("occurred_at", .time, required: true),
            EventField("for_doctor", .flag),
        ])
}

extension NoteDetails {
    private enum CodingKeys: CodingKey { case content, occurredAt, forDoctor }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            content: try members.decode(String.self, forKey: .content),
            occurredAt: try members.decode(Timestamp.self, forKey: .occurredAt),
            forDoctor: try members.decodeIfPresent(Bool.self, forKey: .forDoctor) ?? false)
    }
}
