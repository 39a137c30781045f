public import BabyBasicsAPI
public import JSON

/// A page of changes as the server has it: what `ChangeList` is to a client.
struct ChangePage: JSONWritable {
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
        case .family(let family): family.write(to: &json)
        case .familyMember(let member): member.write(to: &json)
        case .child(let child): child.write(to: &json)
        case .event(let event): event.write(to: &json)
        }
    }
}

extension SyncedChild: JSONWritable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("id", id)
            $0.member("family_id", familyId)
            $0.member("family_name", familyName)
            $0.member("name", name)
            $0.member("date_of_birth", dateOfBirth)
            $0.member("revision", revision)
            $0.member("created_at", createdAt)
            $0.member("updated_at", updatedAt)
        }
    }
}
