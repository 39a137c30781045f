import Foundation
import Glibc
import Synchronization
import Testing

@testable import Curl

@Suite("Where webhooks may lead")
struct ReachTests {
    private let house = Reach.internet(
        and: ["192.168.1.0/24", "127.0.0.0/8", "fd12:3456::/32"].compactMap(AddressNetwork.init), authorities: nil)
    private let internet = Reach.internet(and: [], authorities: nil)

    private func allows(_ reach: Reach, _ address: String) throws -> Bool {
        try reach.allows(#require(AddressNetwork.bytes(of: address)), port: 443)
    }

    @Test("Networks as they are written")
    func networks() {
        for text in ["10.0.0.0/8", "0.0.0.0/0", "1.2.3.4", "1.2.3.4/32", "fd00::/8", "::1", "::/0"] {
            #expect(AddressNetwork(text) != nil, "\(text)")
        }
        for text in [
            "", "10.0.0.0/33", "10.0.0/8", "fd00::/129", "house", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8/8",
            "10.0.0.0/+8",
        ] {
            #expect(AddressNetwork(text) == nil, "\(text)")
        }
    }

    @Test(
        "The networks that are named, the internet, and nothing else",
        arguments: ["192.168.1.77", "127.0.0.1", "fd12:3456:9::1", "1.1.1.1"])
    func open(address: String) throws { #expect(try allows(house, address)) }

    @Test(
        "Addresses within addresses are none of the networks",
        arguments: [
            "192.168.2.1", "10.0.0.1", "169.254.169.254", "fd00:ec2::254", "::1", "::ffff:127.0.0.1",
            "::ffff:192.168.1.77",
            "64:ff9b::127.0.0.1", "64:ff9b::192.168.1.77", "2002:7f00:1::1", "2001::1", "2001:0:c0a8:14d::1",
            "::7f00:1",
            "0.0.0.0", "::", "100.64.0.1", "fe80::1",
            // Begins with the bytes of a network of the other kind.
            "c0a8:14d::1",
        ])
    func closed(address: String) throws {
        #expect(try !allows(house, address))
        #expect(try !allows(internet, address))
    }

    @Test("An address of IPv4 is in no network of IPv6")
    func kinds() throws {
        let network = try #require(AddressNetwork("a00::/8"))
        #expect(try !allows(.internet(and: [network], authorities: nil), "10.0.0.1"))
    }

    @Test("An address in a URL is known at once, however it is written; a name is not")
    func hosts() {
        for host in [
            "127.0.0.1", "::1", "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "localhost", "x.localhost",
            "10.0.0.1",
        ] {
            #expect(!internet.mayInclude(host: host), "\(host)")
        }
        for host in ["receiver.example", "1.1.1.1", "2606:4700::1111", "127.0.0.1.nip.io"] {
            #expect(internet.mayInclude(host: host), "\(host)")
        }
        #expect(house.mayInclude(host: "localhost"))
    }

    /// What a name server says is taken word by word, and only where it leads is connected to.
    @Test(
        "Whatever a name stands for, this machine is not connected to",
        arguments: [
            ["127.0.0.1"], ["[::1]"], ["0.0.0.0"], ["[::]"], ["[::ffff:127.0.0.1]"], ["127.8.8.8"],
            // One of several, and the second after the first fails.
            ["192.0.2.1", "127.0.0.1"], ["127.0.0.1", "[::1]"],
        ])
    func resolved(addresses: [String]) throws {
        let listener = try Listener()
        let result = try send(internet, to: listener.port, addresses)
        guard case .failed = result else {
            Issue.record("\(result)")
            return
        }
        #expect(listener.connections == 0)
    }

    @Test("With its network named it is")
    func named() throws {
        let listener = try Listener()
        _ = try send(house, to: listener.port, ["127.0.0.1"])
        #expect(listener.connections > 0)
    }

    @Test("Without TLS nobody is called, whoever asks")
    func plain() throws {
        let listener = try Listener()
        _ = try send(house, to: listener.port, ["127.0.0.1"], scheme: "http")
        #expect(listener.connections == 0)
    }

    private func send(
        _ reach: Reach, to port: UInt16, _ addresses: [String], scheme: String = "https"
    ) throws -> OutgoingResult {
        let client = OutgoingClient(timeLimit: .seconds(5))
        defer { client.close() }
        var request = OutgoingRequest(url: "\(scheme)://receiver.example:\(port)/", headers: [], body: [], reach: reach)
        request.addresses = ["receiver.example:\(port):\(addresses.joined(separator: ","))"]
        let (made, done, box) = (request, DispatchSemaphore(value: 0), Box())
        let take: @Sendable (OutgoingResult) -> Void = { result in
            box.result.withLock { $0 = result }
            done.signal()
        }
        client.send({ made }, take)
        try #require(done.wait(timeout: .now() + 20) == .success)
        return try #require(box.result.withLock { $0 })
    }
}

private final class Box: Sendable {
    let result = Mutex<OutgoingResult?>(nil)
}

/// Takes connections at all addresses of this machine, and hangs up.
private final class Listener: Sendable {
    let port: UInt16
    private let descriptor: CInt
    private let count = Atomic(0)

    var connections: Int { count.load(ordering: .relaxed) }

    init() throws {
        let descriptor = socket(AF_INET6, CInt(SOCK_STREAM.rawValue), 0)
        try #require(descriptor >= 0)
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        try #require(isBound)
        self.descriptor = descriptor
        port = UInt16(bigEndian: address.sin6_port)
        Thread.detachNewThread { [self] in
            while true {
                let connection = accept(descriptor, nil, nil)
                if connection < 0 { return }
                count.add(1, ordering: .relaxed)
                close(connection)
            }
        }
    }
}
