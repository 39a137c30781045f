import BabyBasicsAPI
import Foundation

@testable import BabyBasicsKit

/// The cases that the web app and the kit share, in `Tests/Fixtures`.
enum SharedCases {
    static func read<Cases: Decodable>(_ name: String, _ type: Cases.Type) throws -> Cases {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/\(name)")
        return try JSONDecoder.contract.decode(Cases.self, from: Data(contentsOf: file))
    }

    /// An event in the timeline's form.
    struct Item: Decodable {
        var type: String
        var event: [String: EntryValue?]

        /// Nil for one that is deleted: a store shows none.
        var entry: StoredEntry? {
            var fields = event.compactMapValues { $0 }
            guard fields["deleted_at"] == nil else { return nil }
            let id = fields.removeValue(forKey: "id")?.text.flatMap { UUID(uuidString: $0) }
            return StoredEntry(
                id: id ?? UUID(), kind: type, childID: ChildID(UUID()), fields: fields,
                author: Author(userId: nil, name: ""), createdAt: .systemNow, updatedAt: .systemNow)
        }
    }

    /// Whose day it is.
    struct Person: Decodable {
        var timezone: String
        var dayStart: String

        var borders: DayBorders { DayBorders(timezone: timezone, dayStart: dayStart) ?? .utc }
    }
}
