import BabyBasicsAPI
import JSON

/// A page of changes as the server has it: what `ChangeList` is to a client.
struct ChangePage: WrittenFor {
    typealias Answer = ChangeList

    let changes: [ChangeRow]
    let nextSince: Int64
    let hasMore: Bool

    func write(to json: inout JSONWriter) {
        json.object {
            $0.member("changes", changes)
            $0.member("next_since", nextSince)
            $0.member("has_more", hasMore)
        }
    }
}

extension ChangeRow: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.object {
            $0.member("revision", revision)
            $0.member("entity", entity.rawValue)
            $0.member("id", Identifier<Change>(id))
            $0.member("op", (data == nil ? Change.Operation.delete : .upsert).rawValue)
            $0.member("data", data)
        }
    }
}

extension ChangeRow.Data: JSONWritable {
    func write(to json: inout JSONWriter) {
        switch self {
        case .family(let family): json.value(family)
        case .familyMember(let member): json.value(member)
        case .child(let child): json.value(child)
        case .plan(let plan): json.value(plan)
        case .event(let event): event.write(to: &json)
        }
    }
}
