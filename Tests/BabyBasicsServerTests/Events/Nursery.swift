import BabyBasicsAPI
import Foundation
import Postgres
import TestSupport
import Testing

@testable import BabyBasicsServer

/// A child with a parent, a caregiver and somebody else.
final class Nursery: Sendable {
    let server: TestServer
    let parent: TestUser
    let caregiver: TestUser
    let stranger: TestUser
    let family: String
    let child: String

    init(connections: Int = 4) throws {
        server = try TestServer(connections: connections)
        parent = try server.user("Johnny")
        family = try server.family(of: parent)
        child = try server.child(of: family, by: parent)
        caregiver = try server.member("Maria", of: family, by: parent)
        stranger = try server.user("Stranger")
    }

    /// Sends to what is under the child, a second after the last time, so that nobody meets the limit of requests a minute.
    func send(
        _ method: String, _ path: String, _ body: JSON? = nil, as user: TestUser? = nil,
        headers: [String: String] = [:], child: String? = nil
    ) -> Answer {
        server.clock.advance(by: .seconds(1))
        return server.send(
            method, "children/\(child ?? self.child)/\(path)", as: user ?? parent, body,
            headers: headers)
    }

    func send(_ method: String, _ path: String, raw body: String) -> Answer {
        server.clock.advance(by: .seconds(1))
        return server.send(method, "children/\(child)/\(path)", as: parent, raw: body)
    }

    /// Logs an event; answers it.
    func log(_ kind: String, _ body: JSON, as user: TestUser? = nil) throws -> JSON {
        let answer = send("POST", kind, body, as: user)
        guard answer.status == 201, case .object(let members) = answer.json,
            let event = members.first(where: { $0.key != "warnings" })?.value
        else { throw Missing() }
        return event
    }

    /// A time as a body has it, so many hours before the server's now.
    func hoursAgo(_ hours: Double) -> JSON {
        let now = server.clock.now().truncatedToMilliseconds
        return .string(now.adding(.seconds(-hours * 3600)).description)
    }

    func lastRevision() throws -> Int {
        try Int(
            server.database.texts(
                "select last_revision::text from feeds where family_id = \(family)::uuid"
            ).first.required()
        ).required()
    }
}

/// A kind with a body that is as small as it can be, and one that has everything.
struct Sample: Sendable, CustomTestStringConvertible {
    let kind: String
    let name: String
    let least: JSON
    let most: JSON
    /// The time's name.
    let time: String
    var testDescription: String { kind }
    var number: Int { Self.all.firstIndex { $0.kind == kind } ?? -1 }

    /// One of each kind, as a batch has them.
    static let batch: JSON = ["events": .array(all.map { ["type": .string($0.name), "event": $0.most] })]

    static func of(_ name: String) throws -> Sample { try all.first { $0.name == name }.required() }

    /// The columns of `events` that the smallest event has, and its values as SQL, with another time than its own.
    func row(at time: String, hasEnd: Bool = true) -> (columns: String, values: String) {
        guard case .object(let members) = least else { return ("", "") }
        let sorted = members.sorted { $0.key < $1.key }
        let values = sorted.map { name, value -> String in
            if name == "ended_at", !hasEnd { return "null" }
            return name == self.time || name == "ended_at" ? time : value.string.map { "'\($0)'" } ?? value.text
        }
        let columns = sorted.map { $0.key == self.time ? "at" : $0.key }
        return (
            (["kind"] + columns).joined(separator: ", "), (["\(number)"] + values).joined(separator: ", ")
        )
    }

    static let all = [
        Sample(
            kind: "feedings", name: "feeding",
            least: ["type": "bottle", "started_at": "2026-02-25T12:00:00Z"],
            most: [
                "type": "bottle", "started_at": "2026-02-25T12:00:00.000Z",
                "ended_at": "2026-02-25T12:20:00.000Z", "side": nil, "left_minutes": nil,
                "right_minutes": nil, "last_side": nil, "amount_ml": 120.5, "content": "breast_milk", "food": nil,
                "notes": "Line\nand\ttab ☺️ \"quoted\"",
            ], time: "started_at"),
        Sample(
            kind: "diapers", name: "diaper",
            least: ["type": "dry", "occurred_at": "2026-02-25T12:00:00Z"],
            most: [
                "type": "mixed", "occurred_at": "2026-02-25T12:00:00.000Z", "color": "yellow",
                "notes": "x",
            ], time: "occurred_at"),
        Sample(
            kind: "sleeps", name: "sleep",
            // Without an end it would have to be of today.
            least: ["started_at": "2026-02-25T12:00:00Z", "ended_at": "2026-02-25T13:00:00Z"],
            most: [
                "type": "nap", "started_at": "2026-02-25T12:00:00.000Z",
                "ended_at": "2026-02-26T12:00:00.000Z", "notes": "x",
            ], time: "started_at"),
        Sample(
            kind: "notes", name: "note",
            least: ["content": "Smiled!", "occurred_at": "2026-02-25T12:00:00Z"],
            most: [
                "content": "First\r\nsmile", "occurred_at": "2026-02-25T12:00:00.000Z",
                "for_doctor": true, "notes": "x",
            ], time: "occurred_at"),
        Sample(
            kind: "pumpings", name: "pumping",
            least: ["started_at": "2026-02-25T12:00:00Z"],
            most: [
                "started_at": "2026-02-25T12:00:00.000Z", "ended_at": "2026-02-25T12:20:00.000Z",
                "side": "both", "amount_ml": 110.5, "notes": "x",
            ], time: "started_at"),
        Sample(
            kind: "measurements", name: "measurement",
            least: ["occurred_at": "2026-02-25T12:00:00Z", "weight_g": 4200],
            most: [
                "occurred_at": "2026-02-25T12:00:00.000Z", "weight_g": 4350, "length_cm": 54.5,
                "head_cm": 37.2, "notes": "x",
            ], time: "occurred_at"),
        Sample(
            kind: "temperatures", name: "temperature",
            least: ["occurred_at": "2026-02-25T12:00:00Z", "celsius": 37],
            most: [
                "occurred_at": "2026-02-25T12:00:00.000Z", "celsius": 38.9, "site": "ear", "notes": "x",
            ], time: "occurred_at"),
        Sample(
            kind: "medications", name: "medication",
            least: ["occurred_at": "2026-02-25T12:00:00Z", "name": "Paracetamol"],
            most: [
                "occurred_at": "2026-02-25T12:00:00.000Z", "name": "Vitamin D", "dose": "1 drop",
                "plan_id": "0199c3a5-7d7a-7c3e-9a51-2f6b8a1d4e70",
                "notes": "x",
            ], time: "occurred_at"),
        Sample(
            kind: "activities", name: "activity",
            least: ["started_at": "2026-02-25T12:00:00Z", "name": "Bath"],
            most: [
                "started_at": "2026-02-25T12:00:00.000Z", "ended_at": "2026-02-25T12:30:00.000Z",
                "name": "Tummy time", "notes": "x",
            ], time: "started_at"),
        Sample(
            kind: "discards", name: "discard",
            least: ["occurred_at": "2026-02-25T12:00:00Z", "amount_ml": 60],
            most: ["occurred_at": "2026-02-25T12:00:00.000Z", "amount_ml": 60.5, "notes": "x"],
            time: "occurred_at"),
    ]
}

extension JSON {
    /// The same with some members others, or without those that are nil here.
    func with(_ changes: [String: JSON?]) -> JSON {
        guard case .object(var members) = self else { return self }
        for (name, value) in changes { members[name] = value }
        return .object(members)
    }
}
