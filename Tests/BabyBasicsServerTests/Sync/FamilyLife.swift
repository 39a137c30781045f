import BabyBasicsAPI
import Foundation
import Synchronization

@testable import BabyBasicsServer

/// A family in which several people do anything at all at the same time. Each seed is another course of events.
final class FamilyLife: Sendable {
    let server: TestServer
    let family: String
    /// Parents who stay, one for each thread that writes. The first made the family, and is removed by another in some rounds.
    let parents: [TestUser]
    /// They come and go.
    let guests: [TestUser]
    private let known = Mutex(Known())

    private struct Known {
        var children: [String] = []
        var events: [(path: String, kind: String)] = []
        /// Answers that no sequence of requests should give.
        var surprises: [String] = []
    }

    var surprises: [String] { known.withLock { $0.surprises } }

    /// - Parameter people: parents first, then guests; used in every round, so that accounts are made once.
    init(_ server: TestServer, parents: [TestUser], guests: [TestUser]) throws {
        self.server = server
        self.parents = parents
        self.guests = guests
        let answer = server.patiently("POST", "families", as: parents[0], ["name": "Family"])
        family = try answer.json["family"]["id"].string.required()
        for parent in parents.dropFirst() { join(parent, as: "parent", by: parents[0]) }
        for _ in 0..<2 { addChild(by: parents[0], named: "Child") }
    }

    /// One random deed of a parent.
    func act(as parent: TestUser, _ random: inout some RandomNumberGenerator) {
        let guest = guests.randomElement(using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<34: logEvent(by: parent, &random)
        case 34..<40: logBatch(by: parent, &random)
        case 40..<54: changeEvent(by: parent, &random)
        case 54..<68: deleteEvent(by: parent, &random)
        case 68..<77: restoreEvent(by: parent, &random)
        case 77..<80: addChild(by: parent, named: "Child \(Int.random(in: 0...99, using: &random))")
        case 80..<84: changeChild(by: parent, &random)
        case 84..<86: deleteChild(by: parent, &random)
        case 86..<88:
            note(send("PATCH", "families/\(family)", parent, ["name": name(&random)]))
        // The one who may be removed keeps the name: what happens to the names of those who left is not the family's change.
        case 88..<91 where parent.id != parents[0].id:
            note(send("PATCH", "users/me", parent, ["name": name(&random)]))
        case 91..<95: if let guest { join(guest, as: "caregiver", by: parent) }
        case 95..<97:
            if let guest {
                note(send("DELETE", "families/\(family)/members/\(guest.id)", parent))
            }
        default: if let guest { logEvent(by: guest, &random) }
        }
    }

    /// Removes the owner, so that another parent becomes it.
    func removeOwner() {
        note(send("DELETE", "families/\(family)/members/\(parents[0].id)", parents[1]))
    }

    private func join(_ user: TestUser, as role: String, by parent: TestUser) {
        let invite = send("POST", "families/\(family)/invites", parent, ["role": .string(role)])
        note(invite)
        guard let url = invite.json["invite"]["join_url"].string else { return }
        note(send("POST", "invites/accept", user, ["token": .string(String(url.suffix(22)))]))
    }

    private func addChild(by parent: TestUser, named name: String) {
        let answer = send(
            "POST", "families/\(family)/children", parent,
            ["name": .string(name), "date_of_birth": "2026-01-01"])
        note(answer)
        if let id = answer.json["child"]["id"].string { known.withLock { $0.children.append(id) } }
    }

    private func changeChild(by parent: TestUser, _ random: inout some RandomNumberGenerator) {
        guard let child = child(&random) else { return }
        note(send("PATCH", "children/\(child)", parent, ["name": name(&random)]))
    }

    private func deleteChild(by parent: TestUser, _ random: inout some RandomNumberGenerator) {
        guard let child = child(&random) else { return }
        note(send("DELETE", "children/\(child)", parent))
    }

    private func logEvent(by user: TestUser, _ random: inout some RandomNumberGenerator) {
        guard let child = child(&random), let kind = TestServer.kinds.randomElement(using: &random)
        else { return }
        let answer = send("POST", "children/\(child)/\(TestServer.plural(kind))", user, event(kind, &random))
        note(answer)
        if let id = answer.json[kind]["id"].string { remember(child, kind, id) }
    }

    private func logBatch(by user: TestUser, _ random: inout some RandomNumberGenerator) {
        guard let child = child(&random) else { return }
        let items = (0..<Int.random(in: 1...5, using: &random)).map { _ -> JSON in
            let kind = TestServer.kinds.randomElement(using: &random) ?? "note"
            return ["type": .string(kind), "event": event(kind, &random)]
        }
        let answer = send("POST", "children/\(child)/events", user, ["events": .array(items)])
        note(answer)
        for item in answer.json["events"].array {
            guard let kind = item["type"].string, let id = item["event"]["id"].string else {
                continue
            }
            remember(child, kind, id)
        }
    }

    private func changeEvent(by user: TestUser, _ random: inout some RandomNumberGenerator) {
        guard let event = event(&random) else { return }
        note(send("PATCH", event.path, user, ["notes": name(&random)]))
    }

    private func deleteEvent(by user: TestUser, _ random: inout some RandomNumberGenerator) {
        guard let event = event(&random) else { return }
        note(send("DELETE", event.path, user))
    }

    private func restoreEvent(by user: TestUser, _ random: inout some RandomNumberGenerator) {
        guard let event = event(&random) else { return }
        note(send("POST", "\(event.path)/restore", user))
    }

    private func event(_ kind: String, _ random: inout some RandomNumberGenerator) -> JSON {
        let hour = Int.random(in: 10...22, using: &random)
        let time = JSON.string("2026-01-\(Int.random(in: 10...28, using: &random))T\(hour):00:00Z")
        let later = JSON.string("2026-01-29T00:00:00Z")
        return switch kind {
        case "feeding": ["type": "solid", "started_at": time, "food": name(&random)]
        case "diaper": ["type": "mixed", "occurred_at": time, "color": "brown"]
        // Some go on, of which a child has one at most.
        case "sleep" where hour < 12:
            ["type": "nap", "started_at": .string("\(SystemClock().now().adding(.seconds(-3600)))")]
        case "sleep": ["started_at": "2026-01-28T10:00:00Z", "ended_at": later]
        case "pumping": ["started_at": time, "side": "both", "amount_ml": 80.5]
        case "measurement": ["occurred_at": time, "weight_g": 4350, "head_cm": 37.2]
        case "temperature": ["occurred_at": time, "celsius": 38.1, "site": "ear"]
        case "discard": ["occurred_at": time, "amount_ml": 60]
        case "medication": ["occurred_at": time, "name": name(&random)]
        case "activity": ["started_at": time, "name": name(&random)]
        default: ["content": name(&random), "occurred_at": time]
        }
    }

    private func name(_ random: inout some RandomNumberGenerator) -> JSON {
        .string("N\(UInt32.random(in: 0...UInt32.max, using: &random))")
    }

    private func child(_ random: inout some RandomNumberGenerator) -> String? {
        let children = known.withLock { $0.children }
        return children.randomElement(using: &random)
    }

    private func event(_ random: inout some RandomNumberGenerator) -> (path: String, kind: String)? {
        let events = known.withLock { $0.events.suffix(12) }
        return events.randomElement(using: &random)
    }

    private func remember(_ child: String, _ kind: String, _ id: String) {
        known.withLock { $0.events.append(("children/\(child)/\(TestServer.plural(kind))/\(id)", kind)) }
    }

    private func send(_ method: String, _ path: String, _ user: TestUser, _ body: JSON? = nil)
        -> Answer
    {
        server.patiently(method, path, as: user, body)
    }

    /// What others did before makes some deeds impossible, but none may be malformed or fail.
    private func note(_ answer: Answer) {
        let expected = [200, 201, 204, 403, 404, 409]
        if expected.contains(answer.status) { return }
        known.withLock { $0.surprises.append("\(answer.status) \(answer.message ?? "")") }
    }
}
