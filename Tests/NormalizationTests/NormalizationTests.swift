import Foundation
import Normalization
import Testing

@Suite("Texts in one form")
struct NormalizationTests {
    @Test("What looks the same becomes the same, as Foundation has it")
    func composition() {
        for text in [
            "", "plain", "Ma\u{308}uschen", "Mäuschen", "\u{1112}\u{1161}\u{11ab}",
            "\u{212b}ngstrom",
            "a\u{323}\u{307}", "a\u{307}\u{323}", "e\u{301}\0e\u{301}", "\u{fb01}", "👩‍👧", "\u{301}",
            String(repeating: "e\u{301}\u{323}", count: 20_000),
        ] {
            #expect(
                Array(text.canonicallyComposed.utf8)
                    == Array(text.precomposedStringWithCanonicalMapping.utf8), "\(text.prefix(20))")
        }
        #expect(Array("Ma\u{308}".canonicallyComposed.utf8) == Array("M\u{e4}".utf8))
    }

    @Test(
        "Domains become A-labels",
        arguments: [
            ("müller.de", "xn--mller-kva.de"), ("MU\u{308}LLER.DE", "xn--mller-kva.de"),
            ("straße.example", "xn--strae-oqa.example"), ("例え.テスト", "xn--r8jz45g.xn--zckzah"),
            ("bücher。example", "xn--bcher-kva.example"), ("Example.COM", "example.com"),
            ("XN--MLLER-KVA.de", "xn--mller-kva.de"), ("נתניה.example", "xn--8dbjua3c.example"),
        ])
    func domains(_ text: String, _ name: String) {
        #expect(text.domainInASCII == name)
    }

    @Test(
        "What is no domain has none",
        arguments: [
            "a\0b.de", "a\u{202e}b.de", "-ü.de", "ü\u{0}.de", "xn--ü.de",
            String(repeating: "ü", count: 64) + ".de", "\u{fdfa}.de ",
        ])
    func noDomains(_ text: String) {
        #expect(text.domainInASCII == nil)
    }
}
