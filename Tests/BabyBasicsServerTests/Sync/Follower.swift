import BabyBasicsAPI

@testable import BabyBasicsServer

/// A client that keeps a family by following its changes.
struct Follower: Sendable {
    /// By entity and id.
    private(set) var things: [String: [String: JSON]] = [:]
    /// As the server gave it.
    private(set) var since: JSON = 0
    private(set) var polls = 0
    private(set) var applied = 0
    let server: TestServer
    let family: String

    init(_ server: TestServer, _ family: String) {
        self.server = server
        self.family = family
    }

    /// Asks for one page and applies it.
    /// - Returns: whether there is more.
    @discardableResult
    mutating func poll(as user: TestUser, limit: Int = 50) throws -> Bool {
        let answer = server.patiently(
            "GET", "families/\(family)/changes?since=\(since.text)&limit=\(limit)", as: user)
        guard answer.status == 200 else { throw Unexpected("changes: \(answer.status)") }
        let changes = answer.json["changes"].array
        let revisions = changes.compactMap { $0["revision"].number }
        guard revisions.count == changes.count, changes.count <= limit,
            zip(revisions, revisions.dropFirst()).allSatisfy({ $0 < $1 })
        else { throw Unexpected("not in order: \(revisions)") }
        let known = since.number.map { SyncPosition(since: Int64($0)).revision }
        if let first = revisions.first, let known, Int64(first) <= known {
            throw Unexpected("\(first) again after \(since)")
        }
        let keys = changes.map { "\($0["entity"].text) \($0["id"].text)" }
        guard Set(keys).count == keys.count else { throw Unexpected("twice in one page") }
        for change in changes { try apply(change) }
        polls += 1
        applied += changes.count
        since = answer.json["next_since"]
        return answer.json["has_more"] == true
    }

    /// Follows to the end.
    mutating func catchUp(as user: TestUser, limit: Int = 50) throws {
        while try poll(as: user, limit: limit) {}
    }

    private mutating func apply(_ change: JSON) throws {
        let entity = try change["entity"].string.required()
        let id = try change["id"].string.required()
        switch change["op"] {
        case "upsert":
            guard change["data"]["revision"] == change["revision"] else {
                throw Unexpected("another revision in \(change.text)")
            }
            things[entity, default: [:]][id] = change["data"]
            if entity == "family_member" { rename(id, change["data"]["name"]) }
        case "delete":
            guard change["data"] == .null else { throw Unexpected("data of a deleted \(entity)") }
            things[entity]?[id] = nil
            if entity == "child" { forgetEvents(of: id) }
        default: throw Unexpected("op \(change["op"].text)")
        }
    }

    private mutating func rename(_ user: String, _ name: JSON) {
        for kind in TestServer.kinds {
            things[kind] = things[kind]?.mapValues { event in
                guard case .object(var members) = event else { return event }
                for author in ["created_by", "updated_by"] where event[author]["user_id"].string == user {
                    members[author] = ["user_id": .string(user), "name": name]
                }
                return .object(members)
            }
        }
    }

    private mutating func forgetEvents(of child: String) {
        for kind in TestServer.kinds {
            things[kind] = things[kind]?.filter { $0.value["child_id"].string != child }
        }
    }
}

struct Unexpected: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

extension TestServer {
    static let kinds = EventKind.all.map(\.name)

    /// A kind's path and list.
    static func plural(_ kind: String) -> String { EventKind.all.first { $0.name == kind }?.plural ?? kind }

    /// Sends a request, and again a minute later when there were too many.
    func patiently(_ method: String, _ path: String, as user: TestUser, _ body: JSON? = nil)
        -> Answer
    {
        while true {
            let answer = send(method, path, as: user, body)
            if answer.status != 429 { return answer }
            clock.advance(by: .seconds(61))
        }
    }

    /// Everything of a family as the server's single and list routes answer it, in the form of `Follower.things`.
    func things(of family: String, as user: TestUser) throws -> [String: [String: JSON]] {
        func get(_ path: String) throws -> JSON {
            let answer = patiently("GET", path, as: user)
            guard answer.status == 200 else { throw Unexpected("\(path): \(answer.status)") }
            return answer.json
        }
        func byID(_ things: [JSON], _ name: String = "id") throws -> [String: JSON] {
            Dictionary(
                uniqueKeysWithValues: try things.map { (try $0[name].string.required(), $0) })
        }
        let whole = try get("families/\(family)")["family"]
        var things: [String: [String: JSON]] = [
            "family": [family: whole.without("role", "members", "children")],
            "family_member": try byID(
                try get("families/\(family)/members")["members"].array, "user_id"),
            "child": [:],
        ]
        for child in whole["children"].array {
            let id = try child["id"].string.required()
            things["child"]?[id] = try get("children/\(id)")["child"].without("role")
            for kind in Self.kinds {
                var cursor: JSON = .null
                repeat {
                    let query = cursor.string.map { "&cursor=\($0)" } ?? ""
                    let plural = Self.plural(kind)
                    let page = try get("children/\(id)/\(plural)?limit=200\(query)")
                    things[kind, default: [:]].merge(try byID(page[plural].array)) { $1 }
                    cursor = page["next_cursor"]
                } while cursor != .null
            }
        }
        return things
    }
}

extension JSON {
    func without(_ names: String...) -> JSON {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { !names.contains($0.key) })
    }
}

/// What differs between two states, in words; empty where nothing does.
func differences(_ left: [String: [String: JSON]], _ right: [String: [String: JSON]]) -> [String] {
    Set(left.keys).union(right.keys).sorted().flatMap { entity in
        let (one, other) = (left[entity] ?? [:], right[entity] ?? [:])
        return Set(one.keys).union(other.keys).sorted().compactMap { id -> String? in
            if one[id] == other[id] { return nil }
            return "\(entity) \(id): \(one[id]?.text ?? "-") ≠ \(other[id]?.text ?? "-")"
        }
    }
}
