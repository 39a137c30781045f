import Glibc
import Testing

@testable import Curl

@Suite("Where requests may lead")
struct PublicAddressTests {
    private func isPublic(_ text: String) throws -> Bool {
        var bytes = [UInt8](repeating: 0, count: text.contains(":") ? 16 : 4)
        try #require(inet_pton(text.contains(":") ? AF_INET6 : AF_INET, text, &bytes) == 1)
        return PublicAddress.isPublic(bytes)
    }

    @Test(
        "The internet",
        arguments: [
            "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
            "169.253.255.255", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.167.255.255", "192.169.0.0",
            "198.17.255.255", "198.20.0.0", "223.255.255.255", "2a00:1450:4001:827::200a", "2606:4700::1111",
            "2001:4860:4860::8888", "64:ff9b::1.1.1.1",
        ])
    func open(_ address: String) throws { #expect(try isPublic(address)) }

    @Test(
        "This machine, its neighbours, and what is nobody's",
        arguments: [
            "0.0.0.0", "10.1.2.3", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.255.255", "169.254.169.254",
            "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.31.196.1", "192.52.193.1", "192.88.99.1",
            "192.168.0.1",
            "192.175.48.1", "198.18.0.1", "198.19.255.255",
            "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255",
            "::", "::1", "::ffff:127.0.0.1", "::ffff:1.1.1.1", "::7f00:1", "64:ff9b::10.0.0.1", "64:ff9b::127.0.0.1",
            "64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1", "2001:10::1", "2002:7f00:1::1", "2620:4f:8000::1",
            "3fff::1",
            "5f00::1",
            "fc00::1", "fd00:ec2::254", "fe80::1", "fec0::1", "ff02::1",
        ])
    func closed(_ address: String) throws { #expect(try !isPublic(address)) }
}
