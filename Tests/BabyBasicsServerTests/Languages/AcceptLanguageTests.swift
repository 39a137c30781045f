import Testing

@testable import BabyBasicsServer

@Suite("Accept-Language")
struct AcceptLanguageTests {
    @Test(
        "The dearest first, as written where two are as dear, without what is not wanted",
        arguments: [
            ("de", ["de"]), ("da, en-GB;q=0.8, en;q=0.7", ["da", "en-GB", "en"]), ("en;q=0.1,de", ["de", "en"]),
            ("de;q=0.5,pl;q=0.5,he;q=0.50", ["de", "pl", "he"]), ("de;q=0, en", ["en"]), ("de;q=0.000", []),
            ("*", ["*"]),
            ("", []), (" , ,de,, ", ["de"]), ("de ; q=1.000\t", ["de"]), ("de;Q=0.9, pt-BR", ["pt-BR", "de"]),
            ("zh-Hant-TW;q=1.", ["zh-Hant-TW"]),
        ])
    func ranges(_ header: String, _ expected: [String]) {
        #expect(AcceptLanguage.ranges(header) == expected)
    }

    @Test(
        "One that is malformed counts as none",
        arguments: [
            "de;q=2", "de;q=0.1234", "de;q=-1", "de;q=1.1", "de;q", "de;level=1", "de_DE", "de;q=0.5;q=0.6", "de-",
            "-de", "germanically", "de en", "dé", "de, ;q=0.5", "de;q=0,5", "../de", "de\u{0}", "1de", "de-*",
        ])
    func malformed(_ header: String) {
        #expect(AcceptLanguage.ranges(header) == nil)
    }

    @Test("One as long as headers may be is read in a moment")
    func long() {
        let clock = ContinuousClock()
        let ranges = clock.measure {
            #expect(
                AcceptLanguage.ranges(Array(repeating: "de;q=0.5", count: 900).joined(separator: ","))?.count == 900)
            #expect(AcceptLanguage.ranges(String(repeating: "a-", count: 4000)) == nil)
        }
        #expect(ranges < .seconds(2))
    }
}
