import BabyBasicsAPI
import Foundation
import GRDB

/// A row of one of the store's tables. Its stored properties are the columns, its columns are for this store alone:
/// apps see values such as `StoredFamily`, so that a table may change without them.
protocol StoreRecord: Codable, FetchableRecord, MutablePersistableRecord {}

extension StoreRecord {
    static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy { .lowercaseString }

    /// The row of a thing.
    static func row<Entity>(_ id: Identifier<Entity>) -> QueryInterfaceRequest<Self> { filter(key: id.description) }

    /// The row of an entry.
    static func row(_ id: UUID) -> QueryInterfaceRequest<Self> { filter(key: id.text) }
}

/// A time in a column: milliseconds since 1970, which SQLite compares and sorts.
@propertyWrapper
struct Milliseconds: Hashable, Sendable, DatabaseValueConvertible {
    var wrappedValue: Timestamp

    init(wrappedValue: Timestamp) { self.wrappedValue = wrappedValue }

    init(_ time: Timestamp) { self.init(wrappedValue: time) }

    var databaseValue: DatabaseValue { wrappedValue.milliseconds.databaseValue }

    static func fromDatabaseValue(_ value: DatabaseValue) -> Milliseconds? {
        Int64.fromDatabaseValue(value).map { Milliseconds(Timestamp(milliseconds: $0)) }
    }
}

extension Milliseconds: Codable {
    init(from decoder: any Decoder) throws {
        self.init(Timestamp(milliseconds: try decoder.singleValueContainer().decode(Int64.self)))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue.milliseconds)
    }
}

extension UUID {
    /// Lower case, as everywhere.
    var text: String { uuidString.lowercased() }
}
