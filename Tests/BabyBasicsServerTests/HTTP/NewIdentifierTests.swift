import BabyBasicsAPI
import Testing

@testable import BabyBasicsServer

@Suite("Identifiers that the server makes")
struct NewIdentifierTests {
    private func texts(_ arguments: [(Timestamp, Int)]) throws -> [String] {
        let services = try TestServer().services
        return try arguments.map { moment, number in
            let id: Identifier<Child> = try services.newIdentifier(at: moment, number: number)
            return id.description
        }
    }

    private let moment = Timestamp(microsecondsSince1970: 1_772_000_000_123_000)

    @Test("are of version 7 and begin with the millisecond")
    func version() throws {
        let text = try texts([(moment, 1)])[0]
        #expect(text.prefix(13) == "019c936e-387b")
        #expect(text.dropFirst(14).first == "7")
        #expect("89ab".contains(text.dropFirst(19).first ?? " "))
    }

    @Test("are in the order of the moments within a millisecond, and of those of one request")
    func order() throws {
        let moments = (0..<1000).map { (moment.adding(.microseconds($0)), 1) }
        let numbers = (1...600).map { (moment.adding(.microseconds(1000)), $0) }
        let all = try texts(moments + numbers)
        #expect(all == all.sorted())
        #expect(Set(all).count == 1600)
    }
}
