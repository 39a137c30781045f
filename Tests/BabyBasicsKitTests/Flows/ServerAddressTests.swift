import BabyBasicsClient
import Foundation
import Testing

@testable import BabyBasicsKit

@MainActor @Suite struct ServerAddressTests {
    @Test(arguments: [
        ("baby.example", "https://baby.example"), (" Baby.Example/ ", "https://baby.example"),
        ("http://baby.example", "https://baby.example"),
        ("https://baby.example:8443/api/v1", "https://baby.example:8443"),
        ("http://localhost:8080", "http://localhost:8080"),
        ("https://a:b@baby.example", "https://baby.example"),
    ])
    func whatSomebodyMeans(text: String, address: String) {
        #expect(ServerAddress.url(text)?.absoluteString == address)
    }

    @Test(arguments: ["", "   ", "ftp://baby.example", "https://"])
    func whatIsNoAddress(text: String) {
        #expect(ServerAddress.url(text) == nil)
    }

    @Test func aServerIsFound() async {
        let address = await check {
            .init(#"{"status":"ok","service":"baby-basics","version":"1"}"#)
        }
        guard case .found(let url) = address.step else {
            Issue.record("\(address.step)")
            return
        }
        #expect(url.absoluteString == "https://baby.example")
        #expect(address.message == nil)
    }

    @Test func theThreeMessages() async {
        let other = await check { .init("<html>") }
        #expect(other.step == .failed(.notBabyBasics))
        #expect(
            other.message?.text.hasPrefix("That doesn’t look like a Baby Basics server") == true)
        let service = await check { .init(#"{"status":"ok","service":"x","version":"1"}"#) }
        #expect(service.step == .failed(.notBabyBasics))
        let missing = await check { .init("not here", 404) }
        #expect(missing.step == .failed(.notBabyBasics))
        let away = await check { throw TransportFailure(.cannotConnect, "no") }
        #expect(away.step == .failed(.unreachable))
        #expect(away.message?.text.hasPrefix("We can’t reach it") == true)
        let busy = await check {
            .init(#"{"status":"unavailable","service":"baby-basics","version":"1"}"#, 503)
        }
        #expect(busy.step == .failed(.busy))
        #expect(busy.message?.text.hasPrefix("It is busy") == true)
    }

    @Test func typingBeginsAnew() async {
        let address = await check { .init("<html>") }
        address.text = "other.example"
        #expect(address.step == .entering && address.message == nil)
    }

    private func check(_ answer: @escaping @Sendable () throws -> HTTPAnswer) async
        -> ServerAddress
    {
        let address = ServerAddress(transport: Transport { _, _ in try answer() }) { english }
        address.text = "baby.example"
        await address.check()
        return address
    }
}

extension HTTPAnswer {
    fileprivate init(_ body: String, _ status: Int = 200) {
        self.init(status: status, headers: [], body: Data(body.utf8))
    }
}
