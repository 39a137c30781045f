import BabyBasicsAPI
import Foundation
import JSON
import Testing

@testable import BabyBasicsServer

@Suite("Numbers with one decimal, read from JSON")
struct TenthsTests {
    @Test(
        "Up to a million million they are what the contract's decoder makes of them",
        arguments: [
            "0", "-0", "0.0", "-0.0", "5", "-5", "120", "33.3", "-33.3", "33.30", "33.33", "0.5",
            "0.05", "0.10", "1e2", "1E+2", "1.5e1", "15e-1", "15e-2", "1e400", "1e-400", "-1e400",
            "999999999999", "999999999999.9", "1000000000000", "1000000000000.0", "1e13", "1e127",
            "123456789012345678901234567890", "0.000000000000000000000000000000000000001",
        ])
    func agreement(_ text: String) throws {
        let value = try #require(JSONValue(Array(text.utf8)))
        let decoded = try? JSONDecoder().decode([Tenths].self, from: Data("[\(text)]".utf8)).first
        #expect(value.tenths == decoded)
    }

    /// Foundation rounds what has more digits than its `Decimal`, and takes a zero with a large exponent for no number.
    @Test("However long they are, they are read exactly")
    func exactness() throws {
        func tenths(_ text: String) throws -> Int? {
            try #require(JSONValue(Array(text.utf8))).tenths?.tenths
        }
        #expect(try tenths("33.29999999999999999999999999999999999999999") == nil)
        #expect(try tenths("33.30000000000000000000000000000000000000000") == 333)
        #expect(try tenths("0e400") == 0)
        #expect(try tenths("0e99999999999999999999") == 0)
        #expect(try tenths("1e99999999999999999999") == nil)
        #expect(try tenths("1e-99999999999999999999") == nil)
        #expect(try tenths("5" + String(repeating: "0", count: 60_000) + "e-60000") == 50)
    }
}
