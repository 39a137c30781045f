import Foundation
import JSON
import Testing

@Suite("JSON, read here and by Foundation")
struct ParserTests {
    @Test("Both read the same values", arguments: 0..<20)
    func values(_ seed: UInt64) throws {
        var maker = TextMaker(seed: seed)
        for _ in 0..<100 {
            let text = maker.value(depth: 4)
            let value = try #require(JSONValue(Array(text.utf8)), "\(text)")
            let expected = try JSONSerialization.jsonObject(
                with: Data(text.utf8), options: .fragmentsAllowed)
            try agree(value, expected, text)
        }
    }

    @Test("What Foundation refuses is refused, whichever byte is wrong", arguments: 0..<20)
    func refusals(_ seed: UInt64) {
        var maker = TextMaker(seed: seed)
        var refused = 0
        for _ in 0..<300 {
            var bytes = Array(maker.value(depth: 3).utf8)
            let index = Int(maker.next() % UInt64(bytes.count))
            switch maker.next() % 3 {
            case 0: bytes[index] = Array(#"{}[]",:\0-.eEtfn "#.utf8)[Int(maker.next() % 17)]
            case 1: bytes.remove(at: index)
            default:
                bytes.insert(Array(#"{}[]",:\0-.eEtfn "#.utf8)[Int(maker.next() % 17)], at: index)
            }
            guard String(validating: bytes, as: UTF8.self) != nil else { continue }
            let theirs = try? JSONSerialization.jsonObject(
                with: Data(bytes), options: .fragmentsAllowed)
            guard theirs == nil else { continue }
            refused += 1
            let text = String(decoding: bytes, as: UTF8.self)
            // Half a surrogate pair and a number beyond all `Double`s are grammatical.
            #expect(
                JSONValue(bytes) == nil || text.contains(#"\u"#)
                    || text.contains { $0 == "e" || $0 == "E" }, "\(text)")
        }
        #expect(refused > 50)
    }

    @Test(
        "Escapes of every kind, and what is none of them",
        arguments: [
            (#"\"\\\/\b\f\n\r\t"#, "\"\\/\u{8}\u{c}\n\r\t"), (#"\u0041\u00e9\u20AC"#, "Aé€"),
            (#"\ud83d\uDE00"#, "😀"), (#"a\u0000b"#, "a\0b"), (#"\uffff"#, "\u{ffff}"),
            (#"\ud800"#, nil), (#"\ude00"#, nil), (#"\ude00\ud83d"#, nil), (#"\ud83dx"#, nil),
            (#"\ud83d\n"#, nil), (#"\ud83d\u0041"#, nil), (#"\ud83d\ud83d\ude00"#, nil),
        ] as [(String, String?)])
    func escapes(_ written: String, _ meant: String?) throws {
        let object = try #require(JSONValue(Array(#"{"a":"\#(written)"}"#.utf8)))
        #expect(object.member("a")?.string == meant)
        #expect(object.member("a")?.number == nil)
        // Where it is a name: half a pair spoils the whole object.
        let named = try #require(JSONValue(Array(#"{"b":1,"\#(written)":2}"#.utf8)))
        #expect(named.isObject == (meant != nil))
        #expect((named.member("b") != nil) == (meant != nil))
        if let meant { #expect(named.member(meant)?.number?.elementsEqual("2".utf8) == true) }
    }

    @Test("Of members with one name the first counts, however they are written")
    func twice() throws {
        let object = try #require(
            JSONValue(Array(#"{"\u0061":"x","a":"y","b":[{}],"c":1}"#.utf8)))
        #expect(object.member("a")?.string == "x")
        #expect(object.member("b")?.elements?.count == 1)
        #expect(object.member("") == nil)
        #expect(object.member("x") == nil)
    }

    private func agree(_ value: JSONValue, _ expected: Any, _ text: String) throws {
        switch expected {
        case let members as [String: Any]:
            #expect(value.isObject, "\(text)")
            for (name, inner) in members {
                try agree(#require(value.member(name), "\(name) in \(text)"), inner, text)
            }
        case let elements as [Any]:
            let own = try #require(value.elements, "\(text)")
            #expect(own.count == elements.count, "\(text)")
            for (one, inner) in zip(own, elements) { try agree(one, inner, text) }
        case let string as String:
            #expect(value.string.map { Array($0.utf8) } == Array(string.utf8), "\(text)")
        case is NSNull: #expect(value.isNull, "\(text)")
        case let bool as NSNumber where value.bool != nil:
            #expect(value.bool == bool.boolValue, "\(text)")
        case let number as NSNumber:
            guard let written = value.number else { return }
            #expect(
                Double(String(decoding: written, as: UTF8.self)) == number.doubleValue, "\(text)")
        default: Issue.record("\(type(of: expected))")
        }
    }
}

/// Makes JSON texts by chance, the same ones for a seed.
private struct TextMaker {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 &+ 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state >> 3
    }

    mutating func value(depth: Int) -> String {
        let count = Int(next() % 4)
        return switch next() % (depth > 0 ? 8 : 5) {
        case 0: ["true", "false", "null"][count % 3]
        case 1: "\(Int64(truncatingIfNeeded: next()) % 1000)"
        case 2: "-\(next() % 100).\(next() % 100)e\(next() % 9)"
        case 3, 4: string()
        case 5: "[\(list(count) { $0.value(depth: depth - 1) })]"
        default:
            "{\(list(count) { "\($0.string(from: "n\($0.next())"))\($0.space()):\($0.value(depth: depth - 1))" })}"
        }
    }

    private mutating func list(_ count: Int, _ one: (inout Self) -> String) -> String {
        var texts: [String] = []
        for _ in 0..<count { texts.append(space() + one(&self) + space()) }
        return texts.joined(separator: ",")
    }

    private mutating func space() -> String { ["", " ", "\n\t", "\r"][Int(next() % 4)] }

    private mutating func string(from prefix: String = "") -> String {
        let parts = [
            "a", "é", "😀", #"\n"#, #"\""#, #"\u0041"#, #"\ud83d\ude00"#, #"\\"#, "/", "\u{7f}",
            #"\u0000"#,
        ]
        let count = next() % 5
        var text = prefix
        for _ in 0..<count { text += parts[Int(next() % UInt64(parts.count))] }
        return "\"\(text)\""
    }
}
