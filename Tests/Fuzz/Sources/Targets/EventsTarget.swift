import BabyBasicsAPI
import FastCGI
import Foundation
import JSON
import Postgres

@testable import BabyBasicsServer

/// Events made, patched, written and read: a patch is RFC 7396's merge, an answer is JSON and can be sent back.
enum EventsTarget {
    @Sendable static func run(_ bytes: [UInt8]) {
        var input = Input(bytes)
        let kind = input.choice(EventKind.all)
        let whole = input.members(of: kind)
        guard let values = read(whole, kind) else { return }
        let event = event(values, kind, &input)
        written(event)
        let patch = input.members(of: kind)
        let patched = read(patch, kind, onto: values)
        let merged = merge(patch, into: values, kind)
        let expected = read(merged, kind)
        check(
            patched.map { $0.map(json) } == expected.map { $0.map(json) },
            "\(whole) patched with \(patch) is not \(merged)")
        guard let patched else { return }
        var changes = AuditChanges.none
        for (index, field) in kind.fields.enumerated() {
            changes.note(field.name, from: values[index], to: patched[index])
        }
        check(ReferenceJSON(changes.json.bytes) != nil, "the audit log's entry is no JSON")
        if patch.isEmpty { check(patched == values, "an empty patch changes something") }
    }

    /// Nil where it is refused, and then the answer says why.
    private static func read(
        _ members: [ReferenceJSON.Member], _ kind: EventKind, onto before: [FieldValue]? = nil
    ) -> [FieldValue]? {
        let body = ReferenceJSON.object(members).text
        guard let fields = try? Fields(body: body) else {
            fail("not read: \(String(decoding: body, as: UTF8.self))")
        }
        let values = fields.values(of: kind, onto: before, now: JSONTarget.now)
        do {
            try fields.refuseProblems()
            check(values != nil, "refused without a reason: \(members)")
        } catch {
            check(values == nil, "accepted in spite of \(error)")
            let details = ReferenceJSON(apiError(for: error).response.body)?["error"]?["details"]
            guard case .array(let list) = details, !list.isEmpty else { fail("\(error)") }
        }
        return values
    }

    private static func json(_ value: FieldValue) -> [UInt8] {
        var json = JSONWriter()
        value.write(to: &json)
        return json.bytes
    }

    private static func member(_ name: String, _ value: FieldValue) -> ReferenceJSON.Member {
        guard let value = ReferenceJSON(json(value)) else { fail("\(value) is no JSON") }
        return ReferenceJSON.Member(name: Array(name.unicodeScalars), value: value)
    }

    /// RFC 7396 on the event as it is answered, and the contract's rule for a new type: what belonged to the old one alone goes,
    /// unless the patch says something of it.
    private static func merge(
        _ patch: [ReferenceJSON.Member], into values: [FieldValue], _ kind: EventKind
    ) -> [ReferenceJSON.Member] {
        let old = zip(kind.fields, values).map { member($0.name, $1) }
        let type = ReferenceJSON.object(patch)["type"]?.string
        var merged = old.filter { member in !patch.contains { $0.name == member.name } }
        if let type {
            merged.removeAll { member in
                let field = kind.fields.first { Array($0.name.unicodeScalars) == member.name }
                return field?.types.map { !$0.contains(type) } ?? false
            }
        }
        return (merged + patch).filter { $0.value != .null }
    }

    private static func event(
        _ values: [FieldValue], _ kind: EventKind, _ input: inout Input
    ) -> StoredEvent {
        StoredEvent(
            kind: kind, id: input.identifier(), childID: input.identifier(), values: values,
            createdBy: author(&input), updatedBy: input.bool() ? author(&input) : nil,
            createdAt: input.time(), updatedAt: input.time(),
            revision: Int64(input.number() as UInt32), deletedAt: nil)
    }

    private static func author(_ input: inout Input) -> Author {
        Author(userId: input.bool() ? input.identifier() : nil, name: input.text())
    }

    /// The answer: the slow reader, Foundation's, the client's types and the server's own reading all see the same event.
    private static func written(_ event: StoredEvent) {
        let other = EventWarning(code: .overlap, eventId: event.id)
        func written<Details: EventDetails>(_ type: Details.Type) -> [UInt8] {
            WrittenJSON(EventReply<Details>(event: event, warnings: [other]).write).bytes
        }
        let bytes = written(EventKind.allDetails[event.kind.number])
        guard let reply = ReferenceJSON(bytes), let answer = reply[event.kind.name] else {
            fail("the answer is no JSON: \(String(decoding: bytes, as: UTF8.self))")
        }
        check(answer["id"]?.string == event.id.description, "the event's id")
        check(answer["revision"]?.tenths == Int(event.revision) * 10, "the event's revision")
        check(
            answer["created_by"]?["name"]?.string.map { Array($0.unicodeScalars) }
                == Array(event.createdBy.name.unicodeScalars), "the author's name")
        for (field, value) in zip(event.kind.fields, event.values) {
            let written = member(field.name, value).value
            check(answer[field.name] == written, "the event's \(field.name)")
        }
        typed(event, bytes)
        guard case .object(let members) = answer else { fail("the event is no object") }
        let again = read(members.filter { $0.value != .null }, event.kind)
        check(again == event.values, "an event that was answered cannot be sent back")
        var page = JSONWriter()
        EventPage(events: [event, event], next: .before(event.at)).write(to: &page)
        check(
            (try? JSONDecoder.contract.decode(Timeline.self, from: Data(page.bytes))) != nil,
            "a page that the client cannot read")
    }

    private static func typed(_ event: StoredEvent, _ bytes: [UInt8]) {
        func read<Details: EventDetails>(_ type: Details.Type) -> Bool {
            let decoded = try? JSONDecoder.contract.decode(
                EventAnswer<Details>.self, from: Data(bytes))
            return decoded?.event.revision == event.revision
                && decoded?.event.createdBy == event.createdBy
                && decoded?.event.updatedBy == event.updatedBy
                && decoded?.warnings.count == 1
        }
        let details = EventKind.details(named: event.kind.name)
        check(details.map { read($0) } == true, "an answer that the client cannot read")
    }
}
