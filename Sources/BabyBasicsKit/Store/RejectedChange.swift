public import BabyBasicsAPI
public import Foundation
import GRDB

/// A change that the server refused. It is kept until the person mends or discards it.
public struct RejectedChange: Hashable, Sendable, Identifiable {
    /// A number of the store's own.
    public let id: Int64
    /// The family it belongs to.
    public var familyID: FamilyID
    /// The child it was made for.
    public var childID: ChildID
    /// The entry.
    public var entryID: UUID
    /// Its kind.
    public var kind: String
    /// The operation that was refused.
    public var operation: PendingChange.Operation
    /// The entry as the person meant it.
    public var fields: Fields
    /// The person's changes.
    public var changes: FieldChanges
    /// Why it was refused, by field where the server told one.
    public var reasons: [Reason]
    /// When the person made it.
    public var madeAt: Timestamp

    /// Why something was refused.
    public struct Reason: Hashable, Codable, Sendable {
        /// The field's name on the wire; empty for the whole.
        public var field: String
        /// The server's words, in English.
        public var message: String
        /// Why, as a word of the contract: `too_large`; nil where the server gives none.
        public var reason: ErrorBody.Detail.Reason? {
            get { word.map { ErrorBody.Detail.Reason(rawValue: $0) } }
            set { word = newValue?.rawValue }
        }
        private var word: String?

        init(field: String, message: String, reason: ErrorBody.Detail.Reason? = nil) {
            self.field = field
            self.message = message
            word = reason?.rawValue
        }
    }
}

extension AccountStore {
    /// The rejected changes, oldest first.
    public func rejectedChanges() async throws -> [RejectedChange] {
        try await database.read { try Self.rejectedChanges($0) }
    }

    /// The person gives it up.
    public func discard(_ rejected: RejectedChange) async throws {
        _ = try await database.write { try RejectedRow.deleteOne($0, key: rejected.id) }
    }

    static func rejectedChanges(_ db: Database) throws -> [RejectedChange] {
        try RejectedRow.inOrder().fetchAll(db).map { RejectedChange($0) }
    }
}
