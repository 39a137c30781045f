import BabyBasicsAPI
import FastCGI
import Testing

@testable import BabyBasicsServer

/// What fuzzing found; see Tests/Fuzz.
@Suite("Bytes that are nearly right")
struct HostileBytesTests {
    @Test(
        "A body that is JSON is read",
        arguments: [
            "{}", " \t\r\n{ } ", #"{"a":[],"b":{},"c":[[],{}]}"#, #"{"a":-0.5E+10,"b":0e-1,"c":1}"#,
            #"{"a":"\"\\\/\b\f\n\r\t\u00e9\ud83d\uDE00"}"#, #"{"a":[true,false,null,"é"]}"#,
            #"{"":{"":[{"":""}]}}"#, #"{"a":1,"a":2}"#, "\u{feff}{}",
        ])
    func json(_ body: String) {
        #expect(throws: Never.self) { try Fields(body: Array(body.utf8)) }
    }

    @Test(
        "A body that is nearly JSON is refused, also where nobody looks",
        arguments: [
            "", " ", "{", "}", "{}}", "{}{}", "[]", "1", "null", #"{"a":1,}"#, #"{,"a":1}"#,
            #"{"a":[1,]}"#, #"{"a":[,1]}"#, #"{"a":[1 2]}"#, #"{"a" 1}"#, #"{"a":}"#, #"{a:1}"#,
            #"{'a':1}"#, #"{1:1}"#, #"{"a":[1}"#, #"{"a":{]}"#, #"{"a":01}"#, #"{"a":1.}"#,
            #"{"a":.5}"#, #"{"a":+1}"#, #"{"a":-}"#, #"{"a":1e}"#, #"{"a":1e+}"#, #"{"a":0x1}"#,
            #"{"a":NaN}"#, #"{"a":Infinity}"#, #"{"a":True}"#, #"{"a":nul}"#, #"{"a":nulll}"#,
            #"{"a":"\x"}"#, #"{"a":"\u12"}"#, #"{"a":"\u12g4"}"#, #"{"\ud800":1}"#,
            "{\"a\":\"\n\"}", "{\"a\":\"\0\"}", #"{"a":"b}"#, #"{"a":1/**/}"#, "\u{feff}",
            "\u{feff}\u{feff}{}", " \u{feff}{}", "{}\u{feff}",
            "\u{b}{}", "{}\0",
        ])
    func nearlyJSON(_ body: String) {
        #expect(throws: APIError.self) { try Fields(body: Array(body.utf8)) }
    }

    @Test(
        "Half a surrogate pair is a fault of the member that has it",
        arguments: [#"\ud800"#, #"\udc00\ud800"#, #"\ud800\u0041"#])
    func halfPairs(_ text: String) throws {
        let fields = try Fields(body: Array(#"{"a":"\#(text)","b":"x"}"#.utf8))
        #expect(fields.optional("a", .anything) == nil)
        #expect(fields.optional("b", .anything) == "x")
    }

    @Test("Objects within others: one with half a surrogate pair in a name is none, and is named")
    func misnamed() throws {
        let fields = try Fields(
            body: Array(#"{"a":{"\ud800":1},"b":[{"\ud800":1},{}],"c":{"d":{}}}"#.utf8))
        #expect(fields.object("a") == nil)
        #expect(fields.objects("b", count: 1...2)?.map { $0 == nil } == [true, false])
        #expect(fields.object("c")?.object("d") != nil)
        let error = #expect(throws: APIError.self) { try fields.refuseProblems() }
        #expect(error?.details.map(\.field) == ["a", "b[0]"])
        #expect(error?.details.map(\.message) == ["must be an object", "must be an object"])
    }

    @Test("JSON in another encoding than UTF-8 is refused")
    func encodings() {
        let text = Array(#"{"a":1}"#.utf8)
        for padding in [(0, 1), (1, 0), (0, 3), (3, 0)] {
            var body: [UInt8] = []
            for byte in text {
                body += [UInt8](repeating: 0, count: padding.0) + [byte]
                body += [UInt8](repeating: 0, count: padding.1)
            }
            #expect(throws: APIError.self) { try Fields(body: body) }
        }
    }

    @Test("512 in each other are read, one more is not, a million neither")
    func depth() {
        func body(_ depth: Int) -> [UInt8] {
            Array(repeating: UInt8(ascii: "["), count: depth - 1)
                + Array(repeating: UInt8(ascii: "]"), count: depth - 1)
        }
        func object(_ depth: Int) -> [UInt8] {
            Array(#"{"a":"#.utf8) + body(depth) + [UInt8(ascii: "}")]
        }
        #expect(throws: Never.self) { try Fields(body: object(512)) }
        #expect(throws: APIError.self) { try Fields(body: object(513)) }
        #expect(throws: APIError.self) { try Fields(body: object(500_000)) }
    }

    @Test("A query is cut by its bytes: an accent after a sign changes nothing of the others")
    func accents() {
        let query = QueryParameters(Array("\u{301}&limit=7&\u{301}=1&a=\u{301}".utf8)[...])
        #expect(query.limit() == 7)
        #expect(query.optional("a", "") { $0 } == "\u{301}")
    }

    @Test("What is not UTF-8 is badly encoded, escaped or not")
    func encoding() {
        for value in [[0xff], [0xc0, 0xaf], Array("%ff".utf8), Array("%c0%af".utf8)] as [[UInt8]] {
            let query = QueryParameters((Array("a=".utf8) + value)[...])
            #expect(query.optional("a", "") { $0 } == nil)
        }
    }

    @Test("The path ends at the question mark, whatever follows it")
    func path() throws {
        let server = try TestServer()
        #expect(server.send("GET", "/health?\u{301}").status == 200)
        #expect(server.send("GET", "/api/v1/families?\u{301}=1").status == 401)
    }
}
