import BabyBasicsAPI
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import BabyBasicsServer

/// Whoever writes a handler that changes something of a family need not think of those who wait; this test fails where it would be necessary.
@Suite("Every change is news")
struct EveryChangeIsNewsTests {
    /// What changes nothing that the feed tells of.
    static let silent: Set<String> = [
        "POST /api/v1/auth/register", "POST /api/v1/auth/login", "POST /api/v1/auth/reset-password",
        "POST /api/v1/invites/preview", "POST /api/v1/families", "POST /api/v1/families/:familyId/invites",
        "DELETE /api/v1/families/:familyId/invites/:inviteId", "POST /api/v1/auth/change-email",
        "POST /api/v1/auth/forgot-password", "POST /api/v1/auth/verify-email", "POST /api/v1/auth/send-verification",
        "POST /api/v1/users/me/devices", "DELETE /api/v1/users/me/devices/:deviceId",
        "POST /api/v1/users/me/reminders", "DELETE /api/v1/users/me/reminders/:reminderId",
        "PUT /api/v1/families/:familyId/notifications", "POST /api/v1/users/me/tokens",
        "DELETE /api/v1/users/me/tokens/:tokenId", "POST /api/v1/families/:familyId/webhooks",
        "PATCH /api/v1/families/:familyId/webhooks/:webhookId",
        "DELETE /api/v1/families/:familyId/webhooks/:webhookId",
        "POST /api/v1/families/:familyId/webhooks/:webhookId/deliveries/:deliveryId/retry",
    ]
    static let changing = Route.all.map(\.endpoint)
        .filter { $0.method != .get }.map { "\($0.method.rawValue) \($0.path)" }
        .filter { !silent.contains($0) }

    @Test("Whoever waits is woken by it", arguments: changing)
    func wakes(_ endpoint: String) throws {
        let home = try Home()
        let deed = try #require(home.deed(endpoint), "no deed for \(endpoint)")
        let waiting = try home.server.waitForChanges(of: home.family, as: home.watcher)
        let answer = deed()
        #expect([200, 201, 204].contains(answer.status), "\(answer.status) \(answer.message ?? "") \(answer.fields)")
        let got = try waiting.value()
        #expect(got.isAtOnce)
        #expect(got.status != 200 || !got.changes.isEmpty)
    }

    /// A family with a watcher, and something of everything.
    private struct Home {
        let server: TestServer
        let parent: TestUser
        /// A second sign-in of the parent's account waits: it is concerned by the family's changes and by the account's.
        let watcher: TestUser
        let other: TestUser
        let guest: TestUser
        let family: String
        let child: String

        init() throws {
            server = try TestServer()
            parent = try server.account("Johnny")
            family = try server.family(of: parent)
            child = try server.child(of: family, by: parent)
            watcher = try server.anotherSession(of: parent)
            other = try server.member("Sarah", of: family, as: "parent", by: parent)
            guest = try server.member("Maria", of: family, by: parent)
        }

        func deed(_ endpoint: String) -> (() -> Answer)? {
            let parts = endpoint.split(separator: " ")
            let method = String(parts[0])
            let path = String(parts[1].dropFirst("/api/v1/".count))
                .replacingOccurrences(of: ":familyId", with: family)
                .replacingOccurrences(of: ":childId", with: child)
            if let kind = EventKind.all.first(where: { path.contains("/\($0.plural)") }) {
                return event(kind, method, path)
            }
            if path.contains("/plans") { return plan(method, path) }
            return household(method, path) ?? account(method, path)
        }

        private func household(_ method: String, _ path: String) -> (() -> Answer)? {
            let born: JSON = ["name": "Ana", "date_of_birth": "2026-01-01"]
            switch (method, path) {
            case ("PATCH", "families/\(family)"): return send(method, path, ["name": "Bretz"])
            case ("DELETE", "families/\(family)"): return send(method, path)
            case ("POST", "families/\(family)/leave"): return send(method, path, as: other)
            case ("POST", "families/\(family)/transfer"):
                return send(method, path, ["user_id": .string(other.id)])
            case ("POST", "families/\(family)/children"): return send(method, path, born)
            case ("DELETE", "families/\(family)/members/:userId"):
                return send(method, "families/\(family)/members/\(guest.id)")
            case ("PATCH", "families/\(family)/members/:userId"):
                return send(method, "families/\(family)/members/\(guest.id)", ["role": "parent"])
            case ("PUT", "children/\(child)"): return send(method, path, born)
            case ("PATCH", "children/\(child)"): return send(method, path, ["name": "Luz"])
            case ("DELETE", "children/\(child)"): return send(method, path)
            case ("POST", "children/\(child)/events"):
                let event: JSON = ["type": "note", "event": ["content": "Hm", "occurred_at": "2026-01-01T08:00:00Z"]]
                return send(method, path, ["events": [event]])
            case ("POST", "invites/accept"):
                guard let new = try? server.user("Nana"), let token = try? server.invite(to: family, by: parent)
                else { return nil }
                return send(method, path, as: new, ["token": .string(token)])
            default: return nil
            }
        }

        private func plan(_ method: String, _ path: String) -> (() -> Answer)? {
            let list = "children/\(child)/plans"
            let body: JSON = ["name": "Vitamin D", "starts_on": "2026-01-01"]
            guard path != list else { return send(method, path, body) }
            guard let id = server.send("POST", list, as: parent, body).json["plan"]["id"].string else { return nil }
            let own = "\(list)/\(id)"
            switch method {
            case "PATCH": return send(method, own, ["name": "Iron"])
            case "DELETE": return send(method, own)
            default:
                _ = server.send("DELETE", own, as: parent)
                return send(method, "\(own)/restore")
            }
        }

        /// Such that the watcher's session ends, or what it shows changes.
        private func account(_ method: String, _ path: String) -> (() -> Answer)? {
            switch (method, path) {
            case ("POST", "auth/logout"): return send(method, path, as: watcher)
            case ("POST", "auth/change-password"):
                return send(
                    method, path,
                    ["current_password": .string(testPassword), "new_password": "another fine password"])
            case ("DELETE", "auth/sessions/:sessionId"):
                let sessions = server.send("GET", "auth/sessions", as: watcher).json["sessions"].array
                let own = sessions.first { $0["current"] == true }?["id"].string ?? ""
                return send(method, "auth/sessions/\(own)")
            case ("PATCH", "users/me"): return send(method, path, ["name": "John"])
            case ("DELETE", "users/me"): return send(method, path, ["password": .string(testPassword)])
            default: return nil
            }
        }

        private func event(_ kind: EventKind, _ method: String, _ path: String) -> (() -> Answer)? {
            let list = "children/\(child)/\(kind.plural)"
            let body = Self.body(of: kind)
            guard path != list else { return send(method, path, body) }
            guard let id = server.send("POST", list, as: parent, body).json[kind.name]["id"].string else { return nil }
            let own = "\(list)/\(id)"
            if path.hasSuffix("/restore") {
                _ = server.send("DELETE", own, as: parent)
                return send(method, "\(own)/restore")
            }
            switch method {
            case "PUT": return send(method, own, Self.body(of: kind, notes: "Changed"))
            case "PATCH": return send(method, own, ["notes": "Changed"])
            case "DELETE": return send(method, own)
            default: return nil
            }
        }

        private static func body(of kind: EventKind, notes: String? = nil) -> JSON {
            var members: [String: JSON] = [kind.fields[kind.time].name: "2026-01-01T08:00:00Z"]
            if let end = kind.end { members[kind.fields[end].name] = "2026-01-01T08:10:00Z" }
            members["notes"] = notes.map { .string($0) }
            switch kind.name {
            case "feeding": members["type"] = "solid"
            case "diaper": members["type"] = "wet"
            case "note": members["content"] = "Smiled"
            case "measurement": members["weight_g"] = 4000
            case "temperature": members["celsius"] = 37
            case "discard": members["amount_ml"] = 60
            case "medication", "activity": members["name"] = "Something"
            default: break
            }
            return .object(members)
        }

        private func send(
            _ method: String, _ path: String, as user: TestUser? = nil, _ body: JSON? = nil
        ) -> () -> Answer {
            { server.send(method, path, as: user ?? parent, body) }
        }
    }
}
