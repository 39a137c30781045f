import BabyBasicsAPI
import Postgres

extension EventTable {
    /// Gives an event's row all that can change of it.
    func update(_ event: StoredEvent) -> SQL {
        modification.binding {
            $0.append(event.id)
            $0.append(event.updatedAt)
            $0.append(event.revision)
            $0.append(event.deletedAt)
            $0.append(event.childID)
            $0.append(event.values, of: kind)
        }
    }

    static func modification(of kind: EventKind) -> PreparedSQL {
        let values = kind.fields.enumerated().map { "\($1.name) = $\(6 + $0)" }
        return PreparedSQL(
            unescaped: """
                update \(kind.plural) set updated_at = $2, revision = $3, deleted_at = $4, child_id = $5,
                    \(values.joined(separator: ", "))
                where id = $1
                """)
    }
}

extension PreparedSQL.Values {
    mutating func append(_ values: [FieldValue], of kind: EventKind) {
        for index in values.indices {
            switch kind.fields[index].form.storage {
            case .time: append(values[index].time)
            case .text: append(values[index].text)
            case .number: append(values[index].number)
            }
        }
    }
}
