import BabyBasicsAPI
import JSON
import Testing

@testable import BabyBasicsServer

@Suite("Headers, queries and members of a request")
struct InputRulesTests {
    private let now = Timestamp(microsecondsSince1970: 1_772_020_800_000_000)

    private func fields(_ json: String) throws -> Fields { try Fields(body: Array(json.utf8)) }

    private func details(_ fields: Fields) -> [ErrorBody.Detail] {
        do {
            try fields.refuseProblems()
            return []
        } catch {
            return (error as? APIError)?.details ?? []
        }
    }

    @Test(
        "If-Match is * or a list of tags, of which the strong ones fit",
        arguments: [
            ("", .absent), ("*", .anything), ("\"7\"", .revisions([7])),
            ("\"6\", \"7\"", .revisions([6, 7])), ("\"6\",\"7\"", .revisions([6, 7])),
            ("W/\"7\"", .revisions([])), ("W/\"7\" , \"8\"", .revisions([8])),
            ("\"07\", \"+7\", \"a,b\", \"\"", .revisions([])), (" , \"7\",, ", .revisions([7])),
            ("\"\u{e9}\"", .revisions([])), ("\"9223372036854775808\"", .revisions([])),
        ] as [(String, IfMatch)])
    func preconditions(_ header: String, _ expected: IfMatch) throws {
        #expect(try IfMatch(header) == expected)
    }

    @Test(
        "Anything else is malformed",
        arguments: [
            "7", "\"7", "7\"", "\"", "W/", "W/7", "w/\"7\"", "\"6\" \"7\"", "*, \"7\"", "\"7\", *",
            "**",
            ",", " ", "\"a b\"", "\"a\u{1}\"", "\"7\"x", "\"7\", x",
        ])
    func malformedPreconditions(_ header: String) {
        #expect(throws: APIError.self) { try IfMatch(header) }
    }

    @Test("A change fits any of the tags, and none where there is none")
    func fitting() throws {
        try IfMatch("\"6\", \"7\"").require(7)
        try IfMatch("*").require(7)
        try IfMatch(nil).require(7)
        for header in ["W/\"7\"", "\"6\"", "\"07\""] {
            let error = #expect(throws: APIError.self) { try IfMatch(header).require(7) }
            #expect(error?.code == .preconditionFailed)
        }
    }

    @Test("A body that is compressed is refused with 415, whatever is in it")
    func encodings() throws {
        let server = try TestServer()
        let user = try server.user("Ana")
        func send(_ encoding: String) -> Answer {
            server.send(
                "POST", "families", as: user, raw: #"{"name":"Ours"}"#,
                headers: ["HTTP_CONTENT_ENCODING": encoding])
        }
        for encoding in ["gzip", "br", "deflate", "gzip, identity", "x"] {
            let answer = send(encoding)
            #expect(answer.status == 415, "\(encoding)")
            #expect(answer.code == "UNSUPPORTED_MEDIA_TYPE")
            #expect(answer.headers["Accept-Encoding"] == "identity")
        }
        for encoding in ["identity", "Identity", " identity\t", ""] {
            #expect(send(encoding).status == 201, "\(encoding)")
        }
    }

    @Test("A membership's end is in the future, within 366 days, and no parent's")
    func accessUntil() throws {
        func read(_ value: String, _ role: Role? = .caregiver) throws -> (Timestamp??, String?) {
            let fields = try fields("{\(value.isEmpty ? "" : "\"access_until\":\(value)")}")
            let until = fields.accessUntil(of: role, now: now)
            return (until, details(fields).first?.message)
        }
        let last = now.adding(.seconds(366 * 86_400))
        #expect(try read("") == (.some(nil), nil))
        #expect(try read("null", .parent) == (.some(nil), nil))
        #expect(try read("\"\(last)\"") == (last, nil))
        #expect(try read("\"\(last)\"", .viewer) == (last, nil))
        #expect(try read("\"\(now)\"").1 == "must be in the future")
        #expect(
            try read("\"\(last.adding(.milliseconds(1)))\"").1 == "must be at most 366 days ahead")
        #expect(try read("\"\(last)\"", .parent).1 == "is for caregivers and viewers only")
        #expect(try read("\"tomorrow\"").1 == "must be a time such as 2026-02-25T12:00:00Z")
        #expect(try read("5").1 == "must be a string")
        #expect(try read("\"\(last)\"", nil) == (last, nil), "the role's own fault is enough")
    }

    @Test("Flags are true or false, and a session is carried by a cookie or not")
    func words() throws {
        let fields = try fields(
            #"{"a":true,"b":false,"c":"true","d":1,"s":"cookie","n":null,"x":"header"}"#)
        #expect(fields.optional("a", .flag) == true)
        #expect(fields.optional("b", .flag) == false)
        #expect(fields.optional("n", .flag) == .some(nil))
        #expect(fields.optional("s", .sessionCarrier) == .cookie)
        #expect(fields.optional("n", .sessionCarrier) == .some(nil))
        #expect(fields.optional("c", .flag) == nil)
        #expect(fields.optional("d", .flag) == nil)
        #expect(fields.optional("x", .sessionCarrier) == nil)
        #expect(details(fields).map(\.field) == ["c", "d", "x"])
    }

    @Test("A wait is 0 to 55 whole seconds")
    func waits() {
        func wait(_ query: String) -> Int? { QueryParameters(Array(query.utf8)[...]).wait() }
        #expect(wait("") == 0)
        #expect(wait("wait=0") == 0)
        #expect(wait("wait=55") == 55)
        for bad in ["56", "-1", "1.5", "", "x", "005", "+5", "5&wait=6", "99999999999999999999"] {
            #expect(wait("wait=\(bad)") == nil, "\(bad)")
        }
    }

    private func message(_ kind: EventKind, _ json: String, stored: [FieldValue]? = nil) throws
        -> [String]
    {
        let fields = try fields(json)
        let values = fields.values(of: kind, now: now)
        fields.requireRecentStart(of: kind, values, insteadOf: stored, now: now)
        return details(fields).map { "\($0.field) \($0.message)" }
    }

    @Test("A time ahead of the server is said to be in the future, not to be none")
    func future() throws {
        let soon = now.adding(.seconds(300))
        let late = now.adding(.milliseconds(300_001))
        let kind = DiaperDetails.kind
        #expect(try message(kind, #"{"type":"wet","occurred_at":"\#(soon)"}"#) == [])
        #expect(
            try message(kind, #"{"type":"wet","occurred_at":"\#(late)"}"#)
                == ["occurred_at is in the future"])
        #expect(
            try message(SleepDetails.kind, #"{"started_at":"\#(now)","ended_at":"\#(late)"}"#)
                == ["ended_at is in the future"])
        for none in ["yesterday", "1899-12-31T23:59:59Z"] {
            #expect(
                try message(kind, #"{"type":"wet","occurred_at":"\#(none)"}"#)
                    == ["occurred_at must be a time such as 2026-02-25T12:00:00Z, since 1900"])
        }
    }

    @Test(
        "A sleep without an end has begun in the last 24 hours; other events may lack one for ever")
    func openSleeps() throws {
        let day = now.adding(.seconds(-86_400))
        let older = day.adding(.milliseconds(-1))
        let refused = ["started_at is more than 24 hours ago: say when it ended"]
        let kind = SleepDetails.kind
        #expect(try message(kind, #"{"started_at":"\#(day)"}"#) == [])
        #expect(try message(kind, #"{"started_at":"\#(older)"}"#) == refused)
        #expect(try message(kind, #"{"started_at":"\#(older)","ended_at":null}"#) == refused)
        #expect(try message(kind, #"{"started_at":"\#(older)","ended_at":"\#(day)"}"#) == [])
        #expect(
            try message(
                FeedingDetails.kind, #"{"type":"breast","side":"left","started_at":"\#(older)"}"#)
                == [])
        // What is stored already can be edited, but not made so.
        let open: [FieldValue] = [.nothing, .time(older), .nothing, .nothing]
        let ended: [FieldValue] = [.nothing, .time(older), .time(day), .nothing]
        let body = #"{"started_at":"\#(older)","notes":"n"}"#
        #expect(try message(kind, body, stored: open) == [])
        #expect(try message(kind, body, stored: ended) == refused)
        func patch(_ json: String, _ stored: [FieldValue]) throws -> [String] {
            let fields = try fields(json)
            let values = fields.values(of: kind, onto: stored, now: now)
            fields.requireRecentStart(of: kind, values, insteadOf: stored, now: now)
            return details(fields).map(\.field)
        }
        #expect(try patch(#"{"notes":"n"}"#, open) == [])
        #expect(try patch(#"{"ended_at":"\#(day)"}"#, open) == [])
        #expect(try patch(#"{"ended_at":null}"#, ended) == ["started_at"])
        #expect(
            try patch(#"{"started_at":"\#(older.adding(.seconds(-1)))"}"#, open) == ["started_at"])
    }

    @Test("A text that shows nothing is none, and one line turns no other round")
    func unseenTexts() throws {
        let at = #""occurred_at":"\#(now)""#
        #expect(
            try message(NoteDetails.kind, #"{"content":"\u200b\u2060",\#(at)}"#)
                == ["content is required"])
        #expect(try message(NoteDetails.kind, #"{"content":"a\u2028\u2067b\u2069",\#(at)}"#) == [])
        let meal = #"{"type":"solid","started_at":"\#(now)","food":"#
        #expect(try message(FeedingDetails.kind, meal + #""\u200b"}"#) == [])
        #expect(try message(FeedingDetails.kind, meal + #""\u202erae\u202c"}"#).count == 1)
    }
}
