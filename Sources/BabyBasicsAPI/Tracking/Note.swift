/// Anything else that is worth remembering.
public typealias Note = Event<NoteDetails>
public typealias NoteID = Identifier<Note>

public struct NoteDetails: EventDetails {
    /// 1 to 5000 characters after trimming.
    public var content: String
    public var occurredAt: Timestamp

    public init(content: String, occurredAt: Timestamp) {
        self.content = content
        self.occurredAt = occurredAt
    }

    public static let kind = EventKind(
        name: "note", plural: "notes", time: "occurred_at",
        fields: [
            EventField("content", .text(max: 5000), required: true),
            EventField("occurred_at", .time, required: true),
        ])
}

extension NoteDetails: Described {
    static let remarks: [String: Remark] = [
        "content": Remark("1 to 5000 characters after trimming.", example: "First smile")
    ]
}
