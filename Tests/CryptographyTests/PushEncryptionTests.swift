import Testing

@testable import Cryptography

/// What a browser does: the other end of RFC 8291.
@Suite("Encryption for browsers")
struct PushEncryptionTests {
    /// RFC 8291, section 5 and appendix A.
    private enum Example {
        static let message = "When I grow up, I want to be a watermelon"
        static let ownKey = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
        static let ownPublicKey =
            "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
        static let browsersKey = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
        static let browsersPublicKey =
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
        static let secret = "BTBZMqHH6r4Tts7J_aSIgg"
        static let salt = "DGv6ra1nlYgDCS1FRnbzlw"
        static let sharedSecret = "kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs"
        static let body = """
            DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK\
            6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN
            """
    }

    private func bytes(_ text: String) throws -> [UInt8] { try #require(Encoding.bytes(base64URL: text)) }

    @Test("Keys are RFC 8291's from its numbers, and both ends find its secret")
    func keys() throws {
        let own = try #require(P256Key(number: try bytes(Example.ownKey)))
        let browsers = try #require(P256Key(number: try bytes(Example.browsersKey)))
        #expect(Encoding.base64URL(own.publicKey) == Example.ownPublicKey)
        #expect(Encoding.base64URL(browsers.publicKey) == Example.browsersPublicKey)
        #expect(own.agree(with: browsers.publicKey).map(Encoding.base64URL) == Example.sharedSecret)
        #expect(browsers.agree(with: own.publicKey).map(Encoding.base64URL) == Example.sharedSecret)
    }

    @Test("A message is RFC 8291's example, byte for byte")
    func example() throws {
        let encryption = try #require(
            PushEncryption(publicKey: bytes(Example.browsersPublicKey), secret: bytes(Example.secret)))
        let body = encryption.encrypt(
            Array(Example.message.utf8), padding: 0, key: try #require(P256Key(number: bytes(Example.ownKey))),
            salt: try bytes(Example.salt))
        #expect(body.map(Encoding.base64URL) == Example.body)
    }

    @Test("Messages of any length are a few sizes, of which each fits into what push services take")
    func sizes() throws {
        let encryption = try #require(
            PushEncryption(publicKey: bytes(Example.browsersPublicKey), secret: bytes(Example.secret)))
        func size(_ count: Int) throws -> Int? {
            try encryption.encrypt([UInt8](repeating: 7, count: count))?.count
        }
        #expect(try size(1) == size(256))
        #expect(try size(257) == size(512))
        #expect(try size(PushEncryption.maximumMessage) == PushEncryption.maximumBody)
        #expect(try size(PushEncryption.maximumMessage - 1) == PushEncryption.maximumBody)
        #expect(try size(PushEncryption.maximumMessage + 1) == nil)
        #expect(try encryption.encrypt([1]) != encryption.encrypt([1]), "neither key nor salt comes twice")
    }

    @Test("What is no point of the curve is no key")
    func points() throws {
        let point = try bytes(Example.ownPublicKey)
        #expect(P256Key.isPublicKey(point))
        for index in [1, 32, 64] {
            var other = point
            other[index] ^= 1
            #expect(!P256Key.isPublicKey(other))
            #expect(try PushEncryption(publicKey: other, secret: bytes(Example.secret))?.encrypt([1]) == nil)
        }
        let others: [[UInt8]] = [
            [], [0], Array(point.dropLast()), point + [0], [2] + Array(point.dropFirst()),
            [6] + Array(point.dropFirst()),
        ]
        for other in others {
            #expect(!P256Key.isPublicKey(other))
        }
        #expect(!P256Key.isPublicKey([UInt8](repeating: 0, count: 65)))
    }

    @Test("Numbers that are 0, the curve's order or larger make no key")
    func numbers() throws {
        let order = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"
        #expect(P256Key(number: [UInt8](repeating: 0, count: 32)) == nil)
        #expect(P256Key(number: try #require(Encoding.bytes(hex: order))) == nil)
        #expect(P256Key(number: try #require(Encoding.bytes(hex: String(order.dropLast()) + "0"))) != nil)
        #expect(P256Key(number: [1]) == nil)
    }

    @Test("Keys as Apple hands them out are read, others not")
    func pem() throws {
        // openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:prime256v1
        let pem = """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgyfWPiYE+n46HLnH0
            KqZOF1fJJU3MYrct3AELtAQ+oRyhRANCAAT+M/SrDepxkU21WCP3O1SUj0EwbZIH
            Mtu5pZpTKGSCIA5Zent7wmC6HCJ5mFgJkuk5cwAvMBKiiujwa7t45ewP
            -----END PRIVATE KEY-----

            """
        let key = try #require(P256Key(pem: pem))
        #expect(Encoding.base64URL(key.publicKey) == Example.ownPublicKey)
        #expect(P256Key(pem: "") == nil)
        #expect(P256Key(pem: pem.replacing("MIGH", with: "MIGG")) == nil)
        #expect(try key.sign([1]).count == 64)
    }

    @Test("base64url is read with and without padding, and nothing else")
    func base64URL() {
        #expect(Encoding.bytes(base64URL: "") == [])
        #expect(Encoding.bytes(base64URL: "-_8") == [0xfb, 0xff])
        #expect(Encoding.bytes(base64URL: "-_8=") == [0xfb, 0xff])
        for wrong in ["+/8", "-_9", "A", "AAAAA", "A=A", "AA===", "A A", "Ä"] {
            #expect(Encoding.bytes(base64URL: wrong) == nil, "\(wrong)")
        }
    }
}
