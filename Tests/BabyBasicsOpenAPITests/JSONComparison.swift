import Foundation

@testable import BabyBasicsOpenAPI

extension JSON {
    init(_ value: Any) {
        self =
            switch value {
            case let value as [String: Any]:
                .object(value.map { Member(name: $0.key, value: JSON($0.value)) })
            case let value as [Any]: .array(value.map { JSON($0) })
            case let value as String: .string(value)
            // Foundation's numbers are booleans too; those that are nothing else are told by their type.
            case let value as NSNumber where "\(type(of: value))".contains("Bool"):
                .bool(value.boolValue)
            case let value as NSNumber:
                value.doubleValue.rounded() == value.doubleValue
                    ? .integer(value.intValue) : .number(value.doubleValue)
            default: .null
            }
    }

    /// Without nulls, and with members in the order of their names: as far as two values are the same to whoever reads them.
    var sorted: JSON {
        switch self {
        case .array(let elements): .array(elements.map(\.sorted))
        case .object(let members):
            .object(
                members.filter { $0.value != .null }
                    .map { Member(name: $0.name, value: $0.value.sorted) }
                    .sorted { $0.name < $1.name })
        // Foundation writes UUIDs in capitals, which are the same UUIDs.
        case .string(let text) where UUID(uuidString: text) != nil: .string(text.lowercased())
        default: self
        }
    }
}
