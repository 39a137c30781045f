public import BabyBasicsAPI
public import Foundation

/// A change that was made on this device and that the server has not confirmed yet.
public struct PendingChange: Hashable, Sendable, Identifiable {
    /// The operation.
    public enum Operation: String, Codable, Hashable, Sendable {
        /// The entry is new.
        case create
        /// Fields of it are to be changed.
        case edit
        /// It is to be deleted.
        case delete
        /// A deletion is to be taken back.
        case restore
    }

    /// The order in which changes are sent.
    public let id: Int64
    /// The family it belongs to.
    public let familyID: FamilyID
    /// The child it was made for.
    public let childID: ChildID
    /// The entry it changes.
    public let entryID: UUID
    /// The entry's kind.
    public let kind: String
    /// The operation.
    public let operation: Operation
    /// Of a creation all fields, of an edit the merge patch.
    public internal(set) var changes: FieldChanges
    /// The edited fields' values when the person changed them.
    public internal(set) var base: Fields
    /// When the person made it, by the server's clock as far as this device knows it.
    public internal(set) var madeAt: Timestamp
    /// How often it was sent. Once sent, the server may have seen it.
    public let attempts: Int
}
