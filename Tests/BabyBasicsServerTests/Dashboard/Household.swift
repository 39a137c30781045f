import BabyBasicsAPI
import BabyBasicsServer
import Foundation
import Postgres
import TestSupport

/// A parent with one child, whose events are put into the database as they are, and whose clock is set by hand.
final class Household: Sendable {
    let server: TestServer
    let parent: TestUser
    let family: String
    let child: String

    init(zone: String = "America/New_York", dayStart: String = "07:00") throws {
        server = try TestServer()
        parent = try server.user("Johnny")
        family = try server.family(of: parent)
        child = try server.child(of: family, by: parent)
        try live(parent, in: zone, from: dayStart)
    }

    /// Has a user's day begin at a time of a zone's clocks. The session outlives every clock.
    func live(_ user: TestUser, in zone: String, from dayStart: String) throws {
        try server.database.execute(
            """
            update users set timezone = \(zone), day_start_time = \(dayStart) where id = \(user.id)::uuid
            """)
        try server.database.execute(
            """
            update sessions
            set created_at = '2200-01-01', last_used_at = '2200-01-01', expires_at = '2200-01-01'
            where user_id = \(user.id)::uuid
            """)
    }

    /// The dashboard at a moment, RFC 3339.
    func dashboard(
        at now: String, date: String? = nil, as user: TestUser? = nil, of other: String? = nil
    ) throws -> JSON {
        try setClock(Timestamp(now).required())
        let path = "children/\(other ?? child)/dashboard" + (date.map { "?date=\($0)" } ?? "")
        let answer = server.send("GET", path, as: user ?? parent)
        guard answer.status == 200 else { throw Missing() }
        return answer.json["dashboard"]
    }

    func setClock(_ now: Timestamp) throws {
        let machine = Timestamp(
            microsecondsSince1970: Int64(Date().timeIntervalSince1970 * 1_000_000))
        server.clock.advance(by: now.since(machine.adding(server.clock.offset)))
    }

    @discardableResult
    func feeding(_ type: String, _ start: String, to end: String? = nil, ml: Int? = nil) throws
        -> String
    {
        try insert(
            """
            insert into events (kind, revision, type, at, ended_at, amount_ml, side, child_id, family_id, created_by)
            values (0, 9, \(type), \(start)::timestamptz, \(end)::timestamptz, \(ml)::numeric / 10,
                case when \(type) = 'breast' then 'left' end, \(key)) returning id::text
            """)
    }

    @discardableResult
    func sleep(_ start: String, to end: String? = nil) throws -> String {
        try insert(
            """
            insert into events (kind, revision, at, ended_at, child_id, family_id, created_by)
            values (2, 9, \(start)::timestamptz, \(end)::timestamptz, \(key)) returning id::text
            """)
    }

    @discardableResult
    func diaper(_ type: String, _ time: String) throws -> String {
        try insert(
            """
            insert into events (kind, revision, type, at, child_id, family_id, created_by)
            values (1, 9, \(type), \(time)::timestamptz, \(key)) returning id::text
            """)
    }

    func note(_ time: String) throws { try log("note", time) }

    /// The smallest event of a kind.
    @discardableResult
    func log(_ name: String, _ time: String) throws -> String {
        let sample = try Sample.of(name)
        let (columns, values) = sample.row(at: "'\(time)'")
        return try insert(
            """
            insert into events (\(unescaped: columns), revision, child_id, family_id, created_by)
            values (\(unescaped: values), 9, \(key)) returning id::text
            """)
    }

    @discardableResult
    private func insert(_ sql: SQL) throws -> String {
        try server.database.texts(sql).first.required()
    }

    private var key: Keys { Keys(values: [child, family, parent.id]) }
}

/// The keys that every event has, as SQL.
struct Keys {
    let values: [String]
}

extension SQL.StringInterpolation {
    mutating func appendInterpolation(_ keys: Keys) {
        appendInterpolation(
            fragment: keys.values.map { "\($0)::uuid" as SQL }.joined(separator: ", "))
    }
}

extension JSON {
    /// A whole number.
    var count: Int? { number.map { Int($0) } }
    var sleepMinutes: [Int?] { self["week"].array.map { $0["sleep_minutes"].count } }
    var totals: JSON { self["totals"] }
    var day: [String?] { ["date", "starts_at", "ends_at"].map { self["day"][$0].string } }
}
