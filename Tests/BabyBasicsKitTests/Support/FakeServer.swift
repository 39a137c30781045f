import BabyBasicsAPI
import BabyBasicsClient
import Foundation

@testable import BabyBasicsKit

/// The contract's server in memory, as far as the kit meets it.
actor FakeServer {
    struct User {
        var id: UserID
        var name: String
        var email: String
        var password: String
        var timezone = "Europe/Berlin"
    }
    struct Membership {
        var role: String
        var joinedAt: Timestamp
        var revision: Int64
    }
    struct Child {
        var id: String
        var family: String
        var name: String
        var born: String
        var createdAt: Timestamp
        var updatedAt: Timestamp
        var revision: Int64
    }
    struct Event {
        var id: String
        var kind: String
        var child: String
        var fields: [String: FieldValue]
        var author: UserID
        var createdAt: Timestamp
        var updatedAt: Timestamp
        var revision: Int64
        var isDeleted = false
    }
    struct Family {
        var id: String
        var name: String
        var policy: String
        var owner: UserID
        var createdAt: Timestamp
        var updatedAt: Timestamp
        var revision: Int64 = 0
        var last: Int64 = 0
        var purged: Int64 = 0
        /// How many purges there were: each stands for the 28 days that a reading from the beginning may take.
        var purges: Int64 = 0
        var members: [UserID: Membership] = [:]
        /// `entity id` → revision, op
        var log: [String: (revision: Int64, entity: String, id: String, isDelete: Bool)] = [:]
    }
    struct Invite {
        var id: String
        var token: String
        var family: String
        var role: String
        var by: UserID
        var createdAt: Timestamp
        var expiresAt: Timestamp
        var usedBy: UserID?
    }

    let now: @Sendable () -> Timestamp
    var users: [UserID: User] = [:]
    var tokens: [String: UserID] = [:]
    var families: [String: Family] = [:]
    var children: [String: Child] = [:]
    var events: [String: Event] = [:]
    var invites: [Invite] = []
    /// The next answers, whatever is asked: a status with its headers.
    var refusals: [(status: Int, headers: [String: String])] = []
    /// Every request, as `METHOD path`.
    var requests: [String] = []
    var isHealthy = true
    /// Whether refused batches say nothing of which entry it is.
    var isTerse = false

    init(now: @escaping @Sendable () -> Timestamp) { self.now = now }

    nonisolated var transport: Transport {
        Transport { request, _ in
            try await Task.sleep(for: .zero)
            let wait = request.url.query.flatMap { Self.number("wait", $0) } ?? 0
            var answer = await self.handle(request)
            let end = ContinuousClock.now + .seconds(wait)
            while wait > 0, answer.isEmptyFeed, ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(5))
                answer = await self.answer(to: request)
            }
            return answer
        }
    }

    func refuse(_ status: Int, times: Int = 1, headers: [String: String] = [:]) {
        for _ in 0..<times { refusals.append((status, headers)) }
    }

    func handle(_ request: HTTPRequest) -> HTTPAnswer {
        requests.append("\(request.method.rawValue) \(request.url.path)")
        if !refusals.isEmpty {
            let refusal = refusals.removeFirst()
            return error(refusal.status, headers: refusal.headers)
        }
        return answer(to: request)
    }

    func answer(to request: HTTPRequest) -> HTTPAnswer {
        let path = request.url.path.split(separator: "/").dropFirst(2).map(String.init)
        let body =
            request.body.flatMap { try? JSONSerialization.jsonObject(with: $0) }
            as? [String: Any] ?? [:]
        let bearer = request.headers.first { $0.name == "Authorization" }?.value
        let token = bearer.map { String($0.dropFirst(7)) } ?? ""
        switch (request.method, path) {
        case (.get, []) where request.url.path == "/health":
            return json(
                isHealthy ? 200 : 503,
                [
                    "status": isHealthy ? "ok" : "unavailable", "service": "baby-basics",
                    "version": "1",
                ])
        case (.post, ["auth", "register"]): return register(body)
        case (.post, ["auth", "login"]): return logIn(body)
        case (.post, ["invites", "preview"]): return preview(body)
        default: break
        }
        guard let user = tokens[token] else { return error(401) }
        switch (request.method, path.first, path.count) {
        case (.post, "auth", 2):
            tokens[token] = nil
            return HTTPAnswer(status: 204, headers: [], body: Data())
        case (_, "users", 2): return json(200, ["user": me(user)])
        case (.post, "invites", 2): return accept(body, user)
        case (_, "families", _): return family(request, path, body, user)
        case (_, "children", _): return child(request, path, body, user)
        default: return error(404)
        }
    }

    // MARK: Accounts

    private func register(_ body: [String: Any]) -> HTTPAnswer {
        guard let email = body["email"] as? String, let name = body["name"] as? String,
            let password = body["password"] as? String
        else { return error(400, details: [("email", "is required")]) }
        guard password.count >= 8 else {
            return error(400, details: [("password", "must have at least 8 characters")])
        }
        guard !users.values.contains(where: { $0.email == email }) else { return error(409) }
        var user = User(id: UserID(UUID()), name: name, email: email, password: password)
        user.timezone = body["timezone"] as? String ?? user.timezone
        users[user.id] = user
        return signedIn(user, 201)
    }

    private func logIn(_ body: [String: Any]) -> HTTPAnswer {
        guard
            let user = users.values.first(where: {
                $0.email == body["email"] as? String
                    && $0.password == body["password"] as? String
            })
        else { return error(401) }
        return signedIn(user, 200)
    }

    private func signedIn(_ user: User, _ status: Int) -> HTTPAnswer {
        let token = UUID().uuidString
        tokens[token] = user.id
        return json(
            status,
            [
                "session": [
                    "token": token, "expires_at": now().adding(.seconds(86_400)).description,
                ],
                "user": me(user.id),
            ])
    }

    private func me(_ id: UserID) -> [String: Any] {
        [
            "id": id.description, "email": users[id]?.email ?? "",
            "name": users[id]?.name ?? "", "timezone": users[id]?.timezone ?? "",
            "day_start_time": "07:00", "created_at": now().description,
            "updated_at": now().description,
        ]
    }

    func setTerse(_ isTerse: Bool) { self.isTerse = isTerse }

    func endSessions(of user: UserID) { tokens = tokens.filter { $0.value != user } }

    // MARK: Families

    private func bump(_ family: String, _ entity: String, _ id: String, delete: Bool = false)
        -> Int64
    {
        families[family]?.last += 1
        let revision = families[family]?.last ?? 0
        families[family]?.log["\(entity) \(id)"] = (revision, entity, id, delete)
        return revision
    }

    private func family(
        _ request: HTTPRequest, _ path: [String], _ body: [String: Any], _ user: UserID
    ) -> HTTPAnswer {
        if path.count == 1 {
            return request.method == .post ? createFamily(body, user) : listFamilies(user)
        }
        let id = path[1]
        guard let family = families[id], let member = family.members[user] else {
            return error(403)
        }
        let isParent = member.role == "parent"
        switch (request.method, path.count > 2 ? path[2] : "", path.count) {
        case (.get, "changes", 3): return changes(family, request.url.query ?? "")
        case (.patch, "", 2):
            guard isParent else { return error(403) }
            families[id]?.name = body["name"] as? String ?? family.name
            families[id]?.updatedAt = now()
            let revision = bump(id, "family", id)
            families[id]?.revision = revision
            return json(200, ["family": self.family(families[id] ?? family)])
        case (.delete, "", 2):
            families[id] = nil
            children = children.filter { $0.value.family != id }
            return HTTPAnswer(status: 204, headers: [], body: Data())
        case (.post, "leave", 3):
            guard family.members.count > 1 else {
                return error(409, "You are the only member. Delete the family instead.")
            }
            remove(user, from: id)
            return HTTPAnswer(status: 204, headers: [], body: Data())
        case (.delete, "members", 4):
            guard isParent else { return error(403) }
            guard let target = UserID(path[3]), family.members[target] != nil else {
                return error(404)
            }
            remove(target, from: id)
            return HTTPAnswer(status: 204, headers: [], body: Data())
        case (.post, "children", 3):
            guard isParent else { return error(403) }
            return createChild(body, family: id, user)
        case (.post, "invites", 3):
            guard isParent else { return error(403) }
            return createInvite(body, family, user)
        case (.get, "invites", 3):
            let open = invites.filter { $0.family == id && $0.usedBy == nil }
            return json(
                200,
                [
                    "invites": open.map { invite -> [String: Any] in
                        [
                            "id": invite.id, "role": invite.role,
                            "created_by": [
                                "user_id": invite.by.description,
                                "name": users[invite.by]?.name ?? "",
                            ],
                            "created_at": invite.createdAt.description,
                            "expires_at": invite.expiresAt.description,
                        ]
                    }, "count": open.count,
                ])
        case (.delete, "invites", 4):
            guard invites.contains(where: { $0.id == path[3] }) else { return error(404) }
            invites.removeAll { $0.id == path[3] }
            return HTTPAnswer(status: 204, headers: [], body: Data())
        default: return error(404)
        }
    }

    func remove(_ user: UserID, from family: String) {
        families[family]?.members[user] = nil
        _ = bump(family, "family_member", user.description, delete: true)
    }

    func setRole(_ role: String, of user: UserID, in family: String) {
        families[family]?.members[user]?.role = role
        let revision = bump(
            family, "family_member", user.description)
        families[family]?.members[user]?.revision = revision
    }

    func rename(_ user: UserID, _ name: String, in family: String) {
        users[user]?.name = name
        let revision = bump(family, "family_member", user.description)
        families[family]?.members[user]?.revision = revision
    }

    private func createFamily(_ body: [String: Any], _ user: UserID) -> HTTPAnswer {
        let id = body["id"] as? String ?? UUID().text
        if let known = families[id] { return json(200, ["family": family(known)]) }
        families[id] = Family(
            id: id, name: body["name"] as? String ?? "",
            policy: body["sharing_policy"] as? String ?? "standard", owner: user,
            createdAt: now(), updatedAt: now())
        let revision = bump(id, "family", id)
        families[id]?.revision = revision
        join(user, id, role: "parent")
        return json(201, ["family": families[id].map { family($0) } ?? [:]])
    }

    private func join(_ user: UserID, _ family: String, role: String) {
        let revision = bump(family, "family_member", user.description)
        families[family]?.members[user] = Membership(
            role: role, joinedAt: now(), revision: revision)
    }

    private func family(_ family: Family) -> [String: Any] {
        [
            "id": family.id, "name": family.name, "sharing_policy": family.policy,
            "owner_id": family.owner.description, "revision": family.revision,
            "created_at": family.createdAt.description,
            "updated_at": family.updatedAt.description,
        ]
    }

    private func listFamilies(_ user: UserID) -> HTTPAnswer {
        let own = families.values.filter { $0.members[user] != nil }
            .sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
        return json(
            200,
            [
                "families": own.map { family -> [String: Any] in
                    self.family(family).merging([
                        "role": family.members[user]?.role ?? "",
                        "children_count": 0, "members_count": family.members.count,
                    ]) { $1 }
                }, "count": own.count,
            ])
    }

    private static func number(_ name: String, _ query: String) -> Int64? {
        query.split(separator: "&").first { $0.hasPrefix("\(name)=") }
            .flatMap { Int64($0.dropFirst(name.count + 1)) }
    }

    private func changes(_ family: Family, _ query: String) -> HTTPAnswer {
        // Who began with nothing passes what was purged, and says so above the revision's bits.
        let position = Self.number("since", query) ?? 0
        let begun = position == 0 ? family.purges + 1 : position >> 36
        let since = position & (1 << 36 - 1)
        let limit = Int(Self.number("limit", query) ?? 50)
        if begun == 0, since < family.purged { return error(410) }
        if begun != 0, begun != family.purges + 1 { return error(410) }
        if since > family.last { return error(410) }
        let newer = family.log.values.filter { $0.revision > since }
            .sorted { $0.revision < $1.revision }
        let page = newer.prefix(limit)
        let next = newer.count > page.count ? page.last?.revision ?? since : family.last
        let items = page.map { entry -> [String: Any] in
            [
                "revision": entry.revision, "entity": entry.entity, "id": entry.id,
                "op": entry.isDelete ? "delete" : "upsert",
                "data": entry.isDelete ? NSNull() : data(entry.entity, entry.id, family),
            ]
        }
        return json(
            200,
            [
                "changes": items, "has_more": newer.count > page.count,
                "next_since": next < family.purged && begun != 0 ? next | begun << 36 : next,
            ])
    }

    private func data(_ entity: String, _ id: String, _ family: Family) -> Any {
        switch entity {
        case "family": return self.family(family)
        case "family_member":
            guard let user = UserID(id), let member = family.members[user] else {
                return NSNull()
            }
            return
                [
                    "user_id": id, "name": users[user]?.name ?? "",
                    "email": users[user]?.email ?? "", "role": member.role,
                    "is_owner": family.owner == user, "revision": member.revision,
                    "joined_at": member.joinedAt.description,
                ] as [String: Any]
        case "child": return children[id].map { child($0) } as Any
        default: return events[id].map { event($0) } as Any
        }
    }

    /// Tombstones up to now are forgotten, as the nightly purge does.
    func purge(_ family: String) {
        guard var known = families[family] else { return }
        known.purged = known.last
        known.purges += 1
        known.log = known.log.filter { !$0.value.isDelete }
        families[family] = known
    }

    // MARK: Children

    private func createChild(_ body: [String: Any], family: String, _ user: UserID) -> HTTPAnswer {
        let id = body["id"] as? String ?? UUID().text
        if let known = children[id] { return json(200, ["child": child(known, for: user)]) }
        let child = Child(
            id: id, family: family, name: body["name"] as? String ?? "",
            born: body["date_of_birth"] as? String ?? "2026-01-01", createdAt: now(),
            updatedAt: now(), revision: bump(family, "child", id))
        children[id] = child
        return json(201, ["child": self.child(child, for: user)])
    }

    private func child(_ child: Child, for user: UserID? = nil) -> [String: Any] {
        var answer: [String: Any] = [
            "id": child.id, "family_id": child.family,
            "family_name": families[child.family]?.name ?? "", "name": child.name,
            "date_of_birth": child.born, "revision": child.revision,
            "created_at": child.createdAt.description, "updated_at": child.updatedAt.description,
        ]
        if let user { answer["role"] = families[child.family]?.members[user]?.role }
        return answer
    }

    func deleteChild(_ id: String) {
        guard let child = children.removeValue(forKey: id) else { return }
        for event in events.values where event.child == id {
            families[child.family]?.log["\(event.kind) \(event.id)"] = nil
            events[event.id] = nil
        }
        _ = bump(child.family, "child", id, delete: true)
    }

    private func child(
        _ request: HTTPRequest, _ path: [String], _ body: [String: Any], _ user: UserID
    ) -> HTTPAnswer {
        guard path.count > 1, let child = children[path[1]],
            let member = families[child.family]?.members[user]
        else { return error(404) }
        let ifMatch = request.headers.first { $0.name == "If-Match" }?.value
        if path.count == 2 {
            guard member.role == "parent" else { return error(403) }
            if request.method == .delete {
                deleteChild(child.id)
                return HTTPAnswer(status: 204, headers: [], body: Data())
            }
            var changed = child
            changed.name = body["name"] as? String ?? child.name
            changed.born = body["date_of_birth"] as? String ?? child.born
            changed.updatedAt = now()
            changed.revision = bump(child.family, "child", child.id)
            children[child.id] = changed
            return json(200, ["child": self.child(changed, for: user)])
        }
        if request.method != .get, member.role == "viewer" {
            return error(403, "Viewers can only look")
        }
        if path[2] == "events" { return createEvents(body, child, user) }
        guard path.count >= 4, let event = events[path[3]], event.child == child.id else {
            return error(404)
        }
        if path.count == 5 {
            if event.isDeleted {
                if event.kind == "sleep", event.fields["ended_at"] == nil,
                    running(child.id, except: event.id) != nil
                {
                    return error(409, "A sleep is running")
                }
                events[event.id]?.isDeleted = false
                events[event.id]?.updatedAt = now()
                let revision = bump(child.family, event.kind, event.id)
                events[event.id]?.revision = revision
            }
            return json(200, [event.kind: events[event.id].map { self.event($0) } ?? [:]])
        }
        guard !event.isDeleted else { return error(404) }
        switch request.method {
        case .get: return json(200, [event.kind: self.event(event)])
        case .delete:
            events[event.id]?.isDeleted = true
            _ = bump(child.family, event.kind, event.id, delete: true)
            return HTTPAnswer(status: 204, headers: [], body: Data())
        default:
            if let ifMatch, ifMatch != "\"\(event.revision)\"" { return error(412) }
            return change(event, body, child)
        }
    }

    private func change(_ event: Event, _ body: [String: Any], _ child: Child) -> HTTPAnswer {
        var fields = event.fields
        for (name, value) in body { fields[name] = Self.value(value) }
        if let type = fields["type"]?.text, type != event.fields["type"]?.text {
            for field in EventKind.named(event.kind)?.fields ?? []
            where field.types?.contains(type) == false { fields[field.name] = nil }
        }
        let place = fields.removeValue(forKey: "child_id")?.text ?? event.child
        guard children[place]?.family == child.family else {
            return error(400, details: [("child_id", "is no child of this family")])
        }
        if let reason = refusal(event.kind, fields, id: event.id, child: place) {
            return error(reason.status, details: [(reason.field, reason.message)])
        }
        events[event.id]?.fields = fields
        events[event.id]?.child = place
        events[event.id]?.updatedAt = now()
        let revision = bump(child.family, event.kind, event.id)
        events[event.id]?.revision = revision
        return json(200, [event.kind: events[event.id].map { self.event($0) } ?? [:]])
    }

    static func value(_ any: Any) -> FieldValue? {
        if let text = any as? String { return .text(text) }
        if let number = any as? NSNumber {
            return .number(Tenths(tenths: Int((number.doubleValue * 10).rounded())))
        }
        return nil
    }

    private func running(_ child: String, except id: String) -> Event? {
        events.values.first {
            $0.kind == "sleep" && $0.child == child && !$0.isDeleted && $0.id != id
                && $0.fields["ended_at"] == nil
        }
    }

    private func refusal(_ kind: String, _ fields: Fields, id: String, child: String)
        -> (status: Int, field: String, message: String)?
    {
        if let amount = fields["amount_ml"]?.number, amount > 1000 || amount <= 0 {
            return (400, "amount_ml", "must be at most 1000")
        }
        if kind == "sleep", fields["ended_at"] == nil, let other = running(child, except: id) {
            return (409, "started_at", "A sleep is running: \(other.id)")
        }
        return nil
    }

    private func createEvents(_ body: [String: Any], _ child: Child, _ user: UserID) -> HTTPAnswer {
        let items = body["events"] as? [[String: Any]] ?? []
        var details: [(String, String)] = []
        var status = 400
        var made: [Event] = []
        var places: [[String: Any]] = []
        let before = (events, families)
        for (index, item) in items.enumerated() {
            let kind = item["type"] as? String ?? ""
            let wire = item["event"] as? [String: Any] ?? [:]
            let id = wire["id"] as? String ?? UUID().text
            if let known = events[id] {
                if known.isDeleted {
                    places.append([
                        "type": kind, "id": id, "event": NSNull(), "deleted": true,
                    ])
                } else {
                    places.append(timeline(known))
                }
                continue
            }
            var fields = wire.compactMapValues { Self.value($0) }
            fields["id"] = nil
            if let reason = refusal(kind, fields, id: id, child: child.id) {
                details.append(("events[\(index)].event.\(reason.field)", reason.message))
                status = reason.status
                continue
            }
            var event = Event(
                id: id, kind: kind, child: child.id, fields: fields, author: user,
                createdAt: now(), updatedAt: now(), revision: 0)
            event.revision = bump(child.family, kind, id)
            events[id] = event
            made.append(event)
            places.append(timeline(event))
        }
        if !details.isEmpty {
            (events, families) = before
            return error(status, details: isTerse ? [] : details)
        }
        return json(201, ["events": places, "count": places.count])
    }

    private func timeline(_ event: Event) -> [String: Any] {
        [
            "type": event.kind,
            "at": (event.fields["started_at"] ?? event.fields["occurred_at"])?.text ?? "",
            "event": self.event(event),
        ]
    }

    private func event(_ event: Event) -> [String: Any] {
        var answer: [String: Any] = [
            "id": event.id, "child_id": event.child,
            "created_by": [
                "user_id": event.author.description, "name": users[event.author]?.name ?? "",
            ],
            "created_at": event.createdAt.description,
            "updated_at": event.updatedAt.description, "revision": event.revision,
        ]
        for (name, value) in event.fields {
            switch value {
            case .text(let text): answer[name] = text
            case .number(let number): answer[name] = number.double
            }
        }
        return answer
    }

    // MARK: Invites

    private func createInvite(_ body: [String: Any], _ family: Family, _ user: UserID)
        -> HTTPAnswer
    {
        let role = body["role"] as? String ?? ""
        let invite =
            invites.first {
                $0.family == family.id && $0.role == role && $0.usedBy == nil
                    && $0.expiresAt > now()
            }
            ?? Invite(
                id: UUID().text, token: String(UUID().uuidString.filter { $0 != "-" }.prefix(22)),
                family: family.id, role: role, by: user, createdAt: now(),
                expiresAt: now().adding(.seconds(7 * 86_400)))
        if !invites.contains(where: { $0.id == invite.id }) { invites.append(invite) }
        return json(
            201,
            [
                "invite": [
                    "id": invite.id, "join_url": "https://baby.example/join/\(invite.token)",
                    "role": role, "expires_at": invite.expiresAt.description,
                    "created_at": invite.createdAt.description,
                ]
            ])
    }

    private func preview(_ body: [String: Any]) -> HTTPAnswer {
        guard
            let invite = invites.first(where: {
                $0.token == body["token"] as? String && $0.usedBy == nil && $0.expiresAt > now()
            })
        else { return error(404) }
        return json(
            200,
            [
                "invite": [
                    "family": ["name": families[invite.family]?.name ?? ""],
                    "invited_by": ["name": users[invite.by]?.name ?? ""], "role": invite.role,
                    "expires_at": invite.expiresAt.description,
                ]
            ])
    }

    private func accept(_ body: [String: Any], _ user: UserID) -> HTTPAnswer {
        guard
            let place = invites.firstIndex(where: {
                $0.token == body["token"] as? String && $0.expiresAt > now()
            }), let family = families[invites[place].family]
        else { return error(404) }
        let invite = invites[place]
        let isMember = family.members[user] != nil
        if let used = invite.usedBy {
            guard used == user, isMember else { return error(404) }
            return joined(invite, family, 200)
        }
        if invite.by == user { return error(400, "Cannot accept your own invite") }
        if isMember { return error(409, "You are already a member of this family") }
        invites[place].usedBy = user
        join(user, family.id, role: invite.role)
        return joined(invite, family, 201)
    }

    private func joined(_ invite: Invite, _ family: Family, _ status: Int) -> HTTPAnswer {
        json(
            status,
            [
                "family": ["id": family.id, "name": family.name, "role": invite.role],
                "invited_by": ["name": users[invite.by]?.name ?? ""],
            ])
    }

    // MARK: Answers

    private func json(_ status: Int, _ body: [String: Any]) -> HTTPAnswer {
        HTTPAnswer(
            status: status, headers: [("Content-Type", "application/json")],
            body: (try? JSONSerialization.data(withJSONObject: body)) ?? Data())
    }

    private func error(
        _ status: Int, _ message: String = "No", details: [(String, String)] = [],
        headers: [String: String] = [:]
    ) -> HTTPAnswer {
        let code = ErrorCode.allCases.first { $0.status == status }?.rawValue ?? "GONE"
        let body: [String: Any] = [
            "error": [
                "code": code, "message": message,
                "details": details.map { ["field": $0.0, "message": $0.1] },
            ]
        ]
        return HTTPAnswer(
            status: status, headers: headers.map { ($0.key, $0.value) },
            body: (try? JSONSerialization.data(withJSONObject: body)) ?? Data())
    }
}

extension HTTPAnswer {
    fileprivate var isEmptyFeed: Bool {
        guard status == 200,
            let body = try? JSONSerialization.jsonObject(with: body) as? [String: Any],
            let changes = body["changes"] as? [Any]
        else { return false }
        return changes.isEmpty
    }
}
