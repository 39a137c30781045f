import BabyBasicsAPI
import JSON
import Testing

@testable import BabyBasicsServer

@Suite("Numbers, rounded to one decimal")
struct TenthsTests {
    private func read(_ text: String) throws -> (value: Tenths, isExact: Bool) {
        try #require(JSONValue(Array(text.utf8))?.roundedToTenths)
    }

    @Test(
        "Half goes away from zero",
        arguments: [
            ("0", 0), ("-0", 0), ("0.0", 0), ("5", 50), ("-5", -50), ("33.3", 333), ("-33.30", -333), ("0.05", 1),
            ("-0.05", -1),
            ("0.049999999999999999999999", 0), ("0.95", 10), ("9.96", 100), ("118.294", 1183), ("118.25", 1183),
            ("118.2499", 1182), ("0.04", 0), ("0.004", 0), ("1e2", 1000), ("1E+2", 1000), ("1.5e1", 150), ("15e-1", 15),
            ("15e-2", 2), ("14e-2", 1), ("5e-2", 1), ("4e-2", 0), ("5e-3", 0), ("1e-400", 0), ("0e400", 0),
            ("0e99999999999999999999", 0), ("1e-99999999999999999999", 0), ("9999999999999.9", 99_999_999_999_999),
        ])
    func rounding(_ text: String, _ tenths: Int) throws {
        #expect(try read(text).value.tenths == tenths)
    }

    @Test(
        "What is too large stays larger than anything that is kept",
        arguments: ["1e400", "1e13", "123456789012345678901234567890", "1e99999999999999999999"])
    func large(_ text: String) throws {
        #expect(try read(text).value.tenths == 99_999_999_999_999)
        #expect(try read("-\(text)").value.tenths == -99_999_999_999_999)
    }

    @Test("Whether nothing was lost is known")
    func exactness() throws {
        for text in ["0", "33.3", "33.30000000000000000000000000000000000000000", "333e-1", "1e2"] {
            #expect(try read(text).isExact, "\(text)")
        }
        for text in ["33.29999999999999999999999999999999999999999", "0.01", "1e-400", "333e-2", "1e400"] {
            #expect(try !read(text).isExact, "\(text)")
        }
        #expect(try read("5" + String(repeating: "0", count: 60_000) + "e-60000") == (Tenths(5), true))
    }
}
