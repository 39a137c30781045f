/// What the app says to a person, and what it offers to do about it.
public struct Message: Hashable, Sendable {
    /// How it is meant.
    public enum Tone: Hashable, Sendable {
        /// Something went well.
        case good
        /// Something to know.
        case note
        /// Something did not work.
        case problem
    }

    /// The words.
    public var text: String
    /// How they are meant.
    public var tone: Tone
    /// The field they are about, by its name on the wire; nil for the whole.
    public var field: String?

    /// A message.
    public init(_ text: String, _ tone: Tone = .problem, field: String? = nil) {
        self.text = text
        self.tone = tone
        self.field = field
    }
}
