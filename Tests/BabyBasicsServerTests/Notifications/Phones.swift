import BabyBasicsAPI
import EventLoop
import Foundation
import Postgres
import TestSupport

@testable import BabyBasicsServer

/// A family in which everybody has a phone that is told what it is to be told.
struct Phones {
    struct Push: Equatable, CustomStringConvertible {
        let tag: String
        let title: String
        let body: String
        let kind: String
        let eventKind: String?
        let plan: String?
        var description: String { body }
    }

    let server: TestServer
    let family: String
    let child: String
    let johnny: TestUser
    let sarah: TestUser
    /// A caregiver.
    let rosa: TestUser
    /// A viewer.
    let ines: TestUser

    init(_ server: TestServer? = nil) throws {
        self.server = try server ?? TestServer(connections: 8)
        johnny = try self.server.user("Johnny")
        family = try self.server.family(of: johnny)
        child = try self.server.child(of: family, by: johnny)
        sarah = try self.server.member("Sarah", of: family, as: "parent", by: johnny)
        rosa = try self.server.member("Rosa", of: family, by: johnny)
        ines = try self.server.member("Ines", of: family, as: "viewer", by: johnny)
        for user in [johnny, sarah, rosa, ines] { try givePhone(to: user) }
        // Whoever joined is old news.
        try notify()
        try self.server.database.execute("delete from pushes")
    }

    func givePhone(to user: TestUser) throws {
        try server.database.execute(
            """
            insert into devices (id, user_id, session_id, type, address, service, environment, created_at)
            select \(UUID()), user_id, id, 'apns', \(UUID().uuidString), 'apns', 'production', now()
            from sessions where user_id = \(user.id)::uuid
            """)
    }

    /// Deals with what is due.
    func notify(_ server: TestServer? = nil) throws {
        let notifier = (server ?? self.server).services.notifier
        TestLoop.shared.sync { while await notifier.step() == .done {} }
    }

    /// What somebody was told since the last time.
    func told(_ user: TestUser) throws -> [Push] {
        try notify()
        return try server.database.asOwner {
            try $0.rows(
                """
                delete from pushes where user_id = \(user.id)::uuid
                returning tag, title, body, kind, event_kind, plan_id::text
                """
            ) {
                Push(
                    tag: try $0.next(), title: try $0.next(), body: try $0.next(), kind: try $0.next(),
                    eventKind: try $0.next(), plan: try $0.next())
            }
        }.sorted { $0.body < $1.body }
    }

    func bodies(_ user: TestUser) throws -> [String] { try told(user).map(\.body) }

    func wait(minutes: Double) { server.clock.advance(by: .seconds(minutes * 60)) }

    /// Moves the clock, and keeps everybody signed in.
    func travel(to moment: String) throws {
        let moment = try Timestamp(moment).required()
        server.clock.advance(by: moment.since(server.clock.moment()))
        let now = server.clock.now()
        try server.database.execute(
            "update sessions set created_at = \(now), expires_at = \(now.adding(.seconds(30 * 86_400)))")
    }

    func ask(_ settings: JSON, as user: TestUser) throws {
        let answer = server.send("PUT", "families/\(family)/notifications", as: user, settings)
        guard answer.status == 200 else { throw Missing() }
    }

    /// Has somebody told of what is logged.
    func ask(for kinds: String..., as user: TestUser) throws {
        try ask(["kinds": .array(kinds.map { .string($0) }), "members": false, "access_ends": false], as: user)
    }

    func time(minutesAgo minutes: Double = 0) -> JSON {
        .string(server.clock.now().adding(.seconds(-60 * minutes)).description)
    }

    /// Logs something; answers its path.
    @discardableResult
    func log(_ kind: String, minutesAgo minutes: Double = 0, as user: TestUser, _ more: [String: JSON] = [:]) throws
        -> String
    {
        let details = try EventKind.all.first { $0.name == kind }.required()
        var body: [String: JSON] = [details.fields[details.time].name: time(minutesAgo: minutes)]
        switch kind {
        case "feeding": body["type"] = "bottle"
        case "diaper": body["type"] = "wet"
        case "note": body["content"] = "A secret"
        case "medication": body["name"] = "Paracetamol"
        case "temperature": body["celsius"] = 38.5
        default: break
        }
        let answer = server.send(
            "POST", "children/\(child)/\(details.plural)", as: user, .object(body.merging(more) { $1 }))
        let id = try answer.json[kind]["id"].string.required()
        return "children/\(child)/\(details.plural)/\(id)"
    }

    @discardableResult
    func remind(_ user: TestUser, of subject: String, after minutes: Int) throws -> String {
        try remind(
            user, ["child_id": .string(child), "on": .string(subject), "after_minutes": .number(Double(minutes))])
    }

    @discardableResult
    func remind(_ user: TestUser, _ body: JSON) throws -> String {
        let answer = server.send("POST", "users/me/reminders", as: user, body)
        return try answer.json["reminder"]["id"].string.required()
    }

    func plan(_ more: [String: JSON], as user: TestUser? = nil) throws -> String {
        let body: [String: JSON] = ["name": "Paracetamol", "dose": "2.5 ml", "starts_on": "2026-01-01"]
        let answer = server.send(
            "POST", "children/\(child)/plans", as: user ?? johnny, .object(body.merging(more) { $1 }))
        return try answer.json["plan"]["id"].string.required()
    }

    func setQuiet(_ from: String, _ to: String, as user: TestUser) throws {
        let quiet: JSON = ["quiet": ["from": .string(from), "to": .string(to)]]
        guard server.send("PATCH", "users/me", as: user, quiet).status == 200 else { throw Missing() }
    }
}
