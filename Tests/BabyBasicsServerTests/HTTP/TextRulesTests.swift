import BabyBasicsAPI
import BabyBasicsOpenAPI
import Foundation
import JSON
import Testing

@testable import BabyBasicsServer

/// What a rule makes of a text, by way of a body, as every text comes; nil where it is refused.
private func parsed<Value>(_ text: String, _ rule: Rule<Value>) throws -> Value? {
    var json = JSONWriter()
    json.object { $0.member("text", text) }
    return try Fields(body: json.bytes).required("text", rule)
}

@Suite("Names, labels, emails and passwords")
struct TextRulesTests {
    @Test(
        "A name shows something, in any script",
        arguments: [
            "Ana", " Ana\u{3000}", "李", "دينا", "נועה", "\u{200f}דנה", "Zoe\u{308}", "👩‍👩‍👧‍👦", "🏳️‍🌈",
            "می‌خواهم", "O\u{2019}Brien", "\u{200b}x", "\u{301}", String(repeating: "é", count: 100),
        ])
    func names(_ text: String) throws {
        #expect(try parsed(text, .name) == text.trimmed)
        #expect(matches(text, "createFamily", "name"))
    }

    @Test(
        "What shows nothing is no name, nor what turns the text around it",
        arguments: [
            "", " ", "\u{200b}", " \u{200d}\u{200d} ", "\u{ad}", "\u{3164}", "\u{feff}", "\u{fe0f}",
            "\u{2800}\u{2800}", "\u{180e}", "\u{2060}", "\u{202e}anA", "Ana\u{202a}",
            "\u{2067}x\u{2069}",
            "A\u{2066}", "a\u{0}b", "a\nb", "a\u{2028}b", "a\u{85}b",
            String(repeating: "e\u{301}", count: 51),
        ])
    func noNames(_ text: String) throws {
        #expect(try parsed(text, .name) == nil)
        #expect(!matches(text, "createFamily", "name"))
        #expect(!matches(text, "createInvite", "label") || text.trimmed.isEmpty || text.count > 50)
    }

    @Test("Characters that no pattern of one code unit knows show nothing either")
    func tags() throws {
        #expect(try parsed("\u{e0041}\u{e007f}", .name) == nil)
        #expect(try parsed("\u{1f3f4}\u{e0067}\u{e007f}", .name) != nil)
    }

    @Test("An invite's label is a line of at most 50 characters, or none")
    func labels() throws {
        func label(_ json: String) throws -> String?? {
            try Fields(body: Array("{\(json)}".utf8)).label()
        }
        #expect(try label("") == .some(nil))
        #expect(try label(#""label":null"#) == .some(nil))
        #expect(try label(#""label":" \t ""#) == .some(nil))
        #expect(try label(#""label":"  Grandma Ruth ""#) == "Grandma Ruth")
        let composed = try label(#""label":"Zoe\u0308""#)??.utf8
        #expect(composed.map(Array.init) == Array("Zo\u{eb}".utf8))
        #expect(try label(#""label":"\#(String(repeating: "x", count: 50))""#) != nil)
        for bad in [
            #""\#(String(repeating: "x", count: 51))""#, "5", #""a\nb""#, #""\u200b""#,
            #""\u202ex""#,
        ] {
            #expect(try label("\"label\":\(bad)") == nil, "\(bad)")
        }
    }

    @Test(
        "An email is stored in one form",
        arguments: [
            ("a@example.com", "a@example.com"), ("Ana.B+x@Example.COM", "ana.b+x@example.com"),
            ("ana@example.com ", "ana@example.com"),
            ("\u{a0}\tana@example.com\n", "ana@example.com"),
            ("eltern@müller.de", "eltern@xn--mller-kva.de"),
            ("Eltern@MU\u{308}LLER.de ", "eltern@xn--mller-kva.de"),
            ("eltern@XN--mller-kva.de", "eltern@xn--mller-kva.de"),
            ("a@straße.de", "a@xn--strae-oqa.de"), ("a@例え。テスト", "a@xn--r8jz45g.xn--zckzah"),
        ])
    func emails(_ text: String, _ stored: String) throws {
        #expect(try parsed(text, .email) == stored)
        #expect(try parsed(stored, .email) == stored, "what is stored is an email")
        #expect(EmailAddress.lookup(text) == stored)
        #expect(matches(text, "register", "email"))
    }

    @Test(
        "What is no mailbox is refused",
        arguments: [
            "", "a", "a@b", "@example.com", "a@", "a b@example.com", "a@exa mple.com",
            "ä@example.com",
            "\u{212a}@example.com", "a@-x.com", "a@x..com", "a@example.com.", "a@b@c.de",
            "a@\u{200b}.",
            "a@ü_b.de", "a\0@müller.de", "a@mü\0ller.de", "a@[127.0.0.1]", "a@ü.",
            "a@\(String(repeating: "ü", count: 64)).de",
            String(repeating: "a", count: 65) + "@x.de",
            "a@\(String(repeating: "ü", count: 30_000)).de",
        ])
    func noEmails(_ text: String) throws {
        #expect(try parsed(text, .email) == nil)
    }

    @Test("An account is looked up by any string, and found by every way to write its email")
    func lookups() throws {
        #expect(try parsed("  Ana@Example.com", .knownEmail) == "ana@example.com")
        #expect(try parsed(" Nobody ", .knownEmail) == "nobody")
        #expect(try parsed("", .knownEmail) == "")
    }

    @Test("Passwords typed on different keyboards are the same")
    func passwords() throws {
        let composed = "M\u{e4}uschen-im-Bett"
        let decomposed = "Ma\u{308}uschen-im-Bett"
        for text in [composed, decomposed] {
            let password = try #require(try parsed(text, .password))
            #expect(Array(password.utf8) == Array(composed.utf8))
            #expect(Array(normalizedPassword(text).utf8) == Array(composed.utf8))
        }
        #expect(normalizedPassword(" a\0 ") == " a\0 ", "nothing else is changed")
        #expect(Array(normalizedPassword("\u{fb01}").utf8) == Array("\u{fb01}".utf8))
    }

    @Test("Length and common passwords are judged by the composed form")
    func passwordRules() throws {
        #expect(try parsed("e\u{301}e\u{301}e\u{301}e\u{301}", .password) == nil, "4 characters")
        #expect(try parsed("e\u{301}234567", .password) == nil, "7 characters")
        #expect(try parsed("e\u{301}2345678", .password) != nil)
        #expect(try parsed("Football1", .password) == nil)
    }

    /// Whether a client that keeps to the document would send it.
    private func matches(_ text: String, _ operation: String, _ member: String) -> Bool {
        guard let pattern = Self.pattern(operation, member),
            let expression = try? NSRegularExpression(pattern: pattern)
        else {
            Issue.record("no pattern")
            return false
        }
        let range = NSRange(text.startIndex..., in: text)
        return expression.firstMatch(in: text, range: range) != nil
    }

    private static let document = try? JSON(Array(OpenAPI.document(version: "1.0.0").utf8))

    private static func pattern(_ operation: String, _ member: String) -> String? {
        guard let document, case .object(let paths) = document["paths"] else { return nil }
        for path in paths.values {
            guard case .object(let methods) = path else { continue }
            for method in methods.values where method["operationId"].string == operation {
                let schema = method["requestBody"]["content"]["application/json"]["schema"]
                let name = schema["$ref"].string?.split(separator: "/").last.map(String.init) ?? ""
                return document["components"]["schemas"][name]["properties"][member]["pattern"].string
            }
        }
        return nil
    }
}
